// Lines of the room: each is dragged by its ends or as a whole; a line that was moved is used.
const ENDS = ["x1", "y1", "x2", "y2"];

export function start(desk, view) {
  for (const line of [...view.marks.querySelectorAll("[data-line]")]) {
    const name = line.dataset.line;
    const fields = ENDS.map((end) => desk.querySelector(`#${name}-${end}`));
    const used = desk.querySelector(`#${name}-used`);
    const direction = desk.querySelector(`#${name}-direction`);
    const grip = view.draw("line", { class: "grip" });
    const handles = [0, 2].map(() => view.draw("path", { class: "handle" }));

    const read = () => fields.map((field) => Number(field.value.replace(",", ".")) / 100 || 0);
    const show = () => {
      const ends = read();
      ENDS.forEach((end, place) => {
        line.setAttribute(end, ends[place]);
        grip.setAttribute(end, ends[place]);
      });
      handles.forEach((handle, place) => handle.setAttribute("d", `M${ends[2 * place]} ${ends[2 * place + 1]}h0`));
      const kind = direction ? direction.value : "length";
      for (const each of [line, ...handles]) {
        each.classList.remove("up", "along", "across", "length");
        each.classList.add(kind);
        each.classList.toggle("on", used.checked);
      }
    };
    const write = (ends) => {
      fields.forEach((field, place) => { field.value = (100 * Math.min(1, Math.max(0, ends[place]))).toFixed(1); });
      used.checked = true;
      show();
    };
    const drag = (event, moved) => {
      if (event.button !== 0 || !event.isPrimary) return;
      event.preventDefault();
      const [before, wasUsed, from] = [read(), used.checked, view.place(event)];
      view.remember(() => {
        write(before);
        used.checked = wasUsed;
        show();
        view.changed(used);
      });
      view.follow(event, (each) => {
        const to = view.place(each);
        write(before.map((value, place) => value + (moved.includes(place) ? to[place % 2] - from[place % 2] : 0)));
      }, () => view.changed(used));
    };
    grip.addEventListener("pointerdown", (event) => drag(event, [0, 1, 2, 3]));
    handles.forEach((handle, place) => handle.addEventListener("pointerdown", (event) => drag(event, [2 * place, 2 * place + 1])));
    for (const field of [...fields, used, direction]) field?.addEventListener("change", show);
    show();
  }
  desk.querySelector("#length-0-thing").addEventListener("change", () => {
    desk.querySelector("#length-0-used").checked = true;
    view.changed(desk.querySelector("#length-0-used"));
  });
  view.say("Drag lines by their ends. Dashed lines are not used until you move them.");
}
