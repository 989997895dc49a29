// How the element looks: its styles, which pages may change by custom properties, and what makes its parts.
// Light and dark follow the color-scheme of the page, not of the system: a page that is always light stays so.
const COLORS = {
  text: "#14181f, #e9edf2",
  muted: "#55606e, #a5b0bd",
  background: "#ffffff, #1a2027",
  sunken: "#f1f2f0, #0d1115",
  border: "#7b8693, #7c8997",
  accent: "#14506b, #8ecbe8",
  "on-accent": "#ffffff, #0b1d27",
  focus: "#0b63a5, #ffc247",
  good: "#1b6a3c, #7fd6a3",
  error: "#a3271c, #ff9f94",
};
const colors = Object.entries(COLORS).map(([name, both]) => `--_${name}: var(--brightlist-${name}, light-dark(${both}));`).join(" ");

export const STYLES = `
:host { ${colors} --_radius: var(--brightlist-radius, 10px); --_line: color-mix(in oklab, var(--_background), var(--_border) 40%); display: block; min-width: 0; color: var(--_text); font: 1rem/1.5 var(--brightlist-font, system-ui, sans-serif); text-align: start; overflow-wrap: anywhere; }
:host([hidden]), [hidden] { display: none !important; }
*, *::before { box-sizing: border-box; }
p, ul { margin: 0; padding: 0; list-style: none; }
.whole { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; }
.drop { display: flex; flex-wrap: wrap; align-items: center; gap: 12px 16px; padding: 20px; border: 2px dashed var(--_border); border-radius: var(--_radius); background: var(--_background); }
.drop > svg { width: 36px; height: 36px; color: var(--_accent); }
.drop > div { flex: 1 1 12rem; display: grid; gap: 2px; }
.drop.over { border-style: solid; border-color: var(--_accent); background: color-mix(in oklab, var(--_background), var(--_accent) 12%); }
.lead { font-weight: 600; }
.small { color: var(--_muted); font-size: .875rem; }
button { min-height: 44px; padding: 8px 18px; border: 1px solid var(--_border); border-radius: var(--_radius); background: var(--_background); color: var(--_text); font: inherit; font-weight: 600; cursor: pointer; }
button:hover { border-color: var(--_text); }
button.choose { border-color: var(--_accent); background: var(--_accent); color: var(--_on-accent); }
button.choose:hover { background: color-mix(in oklab, var(--_accent), var(--_text) 18%); }
button:disabled { border-color: var(--_border); background: var(--_sunken); color: var(--_muted); }
button:focus-visible { outline: 3px solid var(--_focus); outline-offset: 2px; }
button.icon { display: grid; place-items: center; width: 44px; padding: 0; border-color: transparent; background: none; color: var(--_muted); }
button.icon:hover { border-color: var(--_border); color: var(--_text); }
svg { display: block; width: 22px; height: 22px; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
.sum { display: grid; gap: 6px; padding: 10px 12px; }
progress { display: block; appearance: none; width: 100%; height: 6px; border-radius: 3px; background: var(--_line); overflow: hidden; }
progress::-webkit-progress-bar { background: transparent; }
progress::-webkit-progress-value { background: var(--_accent); }
progress::-moz-progress-bar { background: var(--_accent); }
.card { border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_background); }
.card li { border-top: 1px solid var(--_line); display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 8px 4px 8px 12px; }
.thumb { display: grid; place-items: center; flex: none; width: 52px; height: 40px; border-radius: 6px; background: var(--_sunken); color: var(--_muted); overflow: hidden; }
canvas { width: 100%; height: 100%; object-fit: cover; }
.about { flex: 1 1 7rem; min-width: 0; }
.name { display: -webkit-box; overflow: hidden; font-weight: 500; line-height: 1.35; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.state { display: block; }
.done .state { color: var(--_good); }
.failed .state, .wrong { color: var(--_error); }
.acts { display: flex; align-items: center; margin-inline-start: auto; }
.wrong { display: flex; align-items: start; gap: 8px; padding: 10px 4px 10px 14px; border: 1px solid currentColor; border-radius: var(--_radius); background: var(--_background); }
.wrong > div { flex: 1; min-width: 0; max-height: 14rem; overflow: auto; padding-block: 8px; }
.wrong b { color: var(--_text); font-weight: 500; }
.vh { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (hover: none) { .by-mouse { display: none; } }
@media (max-width: 30rem) { .drop { padding: 16px; } .drop .choose { width: 100%; } }
@media (forced-colors: active) { progress { border: 1px solid; } progress::-webkit-progress-value { background: Highlight; } }
`;

const ICONS = {
  upload: "M12 15V5M7 9l5-5 5 5M5 15v4h14v-4",
  photo: "M4 5h16v14H4zM4 16l5-4 4 4 3-3 4 3",
  close: "M7 7l10 10m0-10L7 17",
};
const SVG = "http://www.w3.org/2000/svg";

// No markup is ever parsed, so that pages which require Trusted Types can have the element.
export function make(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export function makeIcon(name) {
  const [svg, path] = [document.createElementNS(SVG, "svg"), document.createElementNS(SVG, "path")];
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

// A small picture of the file in the place of its icon, where the browser can decode it.
export async function drawThumb(place, file) {
  try {
    const bitmap = await createImageBitmap(file, { resizeWidth: 156, resizeQuality: "medium" });
    const canvas = make("canvas", { width: bitmap.width, height: bitmap.height });
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
    place.replaceChildren(canvas);
  } catch {
    // A browser that does not know the format shows the icon.
  }
}
