// While a page uploads files it says every half minute which ones, and says so when it is closed: what is under way is
// lost for no other tab or device, and what no longer comes is shown as such at once.
const ALIVE_MS = 30000;

export function watch(form, ask, unfinished, lose) {
  const places = form.dataset.places;

  async function tell() {
    const told = unfinished();
    if (!told.length) return;
    const { gone } = await ask(`${places}/alive`, { ids: told.map((item) => item.id) }).catch(() => ({ gone: [] }));
    if (gone.length) lose(told.filter((item) => gone.includes(item.id)));
  }

  setInterval(tell, ALIVE_MS);
  for (const name of ["pageshow", "online"]) addEventListener(name, tell);
  addEventListener("pagehide", () => {
    const files = unfinished().map((item) => ["file", item.id]);
    const told = new URLSearchParams([["csrf_token", form.elements.csrf_token.value], ...files]);
    if (files.length) navigator.sendBeacon(`${places}/ended`, told);
  });
}
