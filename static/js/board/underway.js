// While a page uploads files it says again and again which ones, and says so when it is closed: what is under way is lost
// for no other tab or device, and what no longer comes is shown as such at once. What failed here is not under way.
export function watch(form, ask, { sending, unsent, lose }) {
  const places = form.dataset.places;

  async function tell() {
    const told = sending();
    if (!told.length) return;
    const ids = told.map((item) => item.id);
    const { gone } = await ask(`${places}/alive`, { ids }, { poller: "going" }).catch(() => ({ gone: [] }));
    if (gone.length) lose(told.filter((item) => gone.includes(item.id)));
  }

  setInterval(tell, Number(form.dataset.aliveMs));
  for (const name of ["pageshow", "online"]) addEventListener(name, tell);
  addEventListener("pagehide", () => {
    const ids = unsent().map((item) => item.id);
    if (ids.length) ask(`${places}/ended`, { ids }, { keepalive: true }).catch(() => {});
  });
  return tell;
}
