"use strict";
// Draws the charts anew so that they can be pointed at, zoomed, and filtered by arm. Without it the page
// shows its static pictures. Everything told comes as text and numbers; nothing here becomes markup.
(async () => {
  if (!("DecompressionStream" in window)) return;
  const told = JSON.parse(await unpacked("chart-data"));
  const NEAR = "400px";
  const FAR_SCREENS = 4;
  const CALM_MS = 150;
  const NEAREST_PIXELS = 40;
  const picked = new Set(told.picked);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const drawn = new Map(); // figure: what was drawn in it
  const near = new Set(); // figures that are seen, or nearly
  const waiting = new Set(); // those of them that are to be drawn
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.setAttribute("role", "status");
  tip.hidden = true;
  document.body.append(tip);

  async function unpacked(id) {
    const letters = atob(document.getElementById(id).textContent);
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).text();
  }

  // A library of a megabyte is not read before something is drawn.
  let library = null;
  function withLibrary() {
    return library ??= unpacked("drawing-library").then((text) => {
      element("script", "", document.body).textContent = text;
    });
  }

  function element(name, className, parent) {
    const made = document.createElement(name);
    made.className = className;
    parent.append(made);
    return made;
  }

  // Three significant digits and a unit, as `units.py` prints them.
  function quantity(value, unit) {
    const steps = told.units[unit];
    let [factor, suffix] = steps[0];
    for (const [larger, name] of steps) {
      if (Math.abs(value) >= larger * 0.9995) [factor, suffix] = [larger, name];
    }
    const digits = (value / factor).toLocaleString("en", {maximumSignificantDigits: 3});
    return suffix ? `${digits} ${suffix}` : digits;
  }

  function quantile(x) {
    const percent = 100 * (1 - 1 / x);
    return `${Number(percent.toFixed(Math.max(0, Math.ceil(Math.log10(x)))))} %`;
  }

  // --- data -------------------------------------------------------------------------------------

  function linesOf(chart) {
    const allowed = new Set(chart.arms);
    const lines = chart.lines ?? told.runs[chart.workload]
      .filter((run) => allowed.has(run.arm) && run[chart.column])
      .map((run) => ({arm: run.arm, run: run.run, x: run.seconds, y: run[chart.column]}));
    return lines.filter((line) => picked.has(line.arm)).map((line) => ({
      ...line,
      y: line.y.map((y) => (y === null || (chart.positive && y <= 0) ? null : y / (chart.factor ?? 1))),
    }));
  }

  function rowsOf(chart) {
    const texts = chart.texts.filter((text) => picked.has(text.arm));
    const places = new Map(texts.map((text, place) => [text.row, place]));
    const placed = (rows) => rows.filter((row) => places.has(row.row))
      .map((row) => ({...row, row: places.get(row.row)}));
    return {marks: placed(chart.marks), texts: placed(chart.texts), count: texts.length};
  }

  function dataOf(chart) {
    if (chart.texts) return rowsOf(chart);
    const lines = linesOf(chart);
    const points = lines.flatMap((line, index) => line.x.map((x, at) => ({
      line: index, x, y: line.y[at], colour: told.arms[line.arm].colour, dash: told.arms[line.arm].dash,
    })));
    const begins = (chart.begins ?? []).filter((begin) => picked.has(begin.arm))
      .map((begin) => ({...begin, colour: told.arms[begin.arm].colour}));
    const shade = [{x: 0, to: chart.warm_up ?? 0}];
    return {lines, points, begins, shade, strips: chart.strips ?? []};
  }

  // --- looks ------------------------------------------------------------------------------------

  function themed(value) {
    const ink = getComputedStyle(document.body).color;
    const colours = dark.matches ? told.dark : {};
    return JSON.parse(JSON.stringify(value), (_, part) =>
      part === "currentColor" ? ink : typeof part === "string" ? colours[part] ?? part : part);
  }

  function heightOf(chart, data) {
    return chart.texts ? Math.max(1, data.count) * chart.row + 50 : 340;
  }

  // --- drawing ----------------------------------------------------------------------------------

  async function draw(figure) {
    const chart = told.charts[figure.dataset.chart];
    const state = drawn.get(figure) ?? frame(figure, chart);
    state.busy = true;
    state.stale = false; // what is picked from here on makes it stale again
    const data = dataOf(chart);
    if (!(data.count ?? data.lines.length)) return empty(figure, state, data);
    const specification = themed(told.specifications[chart.specification]);
    specification.width = state.host.clientWidth;
    specification.height = heightOf(chart, data);
    state.host.style.height = `${specification.height}px`;
    for (const set of specification.data) if (data[set.name]) set.values = themed(data[set.name]);
    for (const signal of specification.signals) if (signal.name === "zoom") signal.value = state.zoom;
    await withLibrary();
    const made = await window.vegaEmbed(state.canvas, specification, {
      mode: "vega", ast: true, actions: false, defaultStyle: false, renderer: "canvas", hover: false,
      tooltip: (_, event, __, value) => (value === null || value === undefined || value === "" ?
        hideTip() : showTip(String(value), event.clientX, event.clientY)),
    });
    state.finalize?.();
    Object.assign(state, {view: made.view, finalize: made.finalize, data, busy: false});
    if (!state.zoom) state.full = undefined; // other arms may reach further
    if (state.legend) legend(state.legend, data.lines);
    figure.dataset.drawn = String(data.count ?? data.lines.length);
    figure.classList.add("live");
  }

  // Without data an axis has no range.
  function empty(figure, state, data) {
    release(figure, true);
    state.canvas.textContent = "No arm of this chart is picked.";
    if (state.legend) legend(state.legend, []);
    Object.assign(state, {data, busy: false});
    figure.dataset.drawn = "0";
    figure.classList.add("live");
  }

  function frame(figure, chart) {
    const host = element("div", "host", figure);
    const canvas = element("div", "canvas", host);
    const state = {host, canvas, zoom: null};
    drawn.set(figure, state);
    if (!chart.texts) {
      host.tabIndex = 0;
      host.setAttribute("role", "application");
      host.setAttribute("aria-label", `${chart.title}: arrow keys move, + and - zoom, 0 shows all`);
      state.legend = element("ul", "legend", figure);
      state.dot = element("span", "dot", host);
      state.band = element("span", "band", host);
      state.dot.hidden = state.band.hidden = true;
      listen(figure, chart, state);
      tools(figure, chart, state);
    }
    return state;
  }

  function release(figure, evenBusy = false) {
    const state = drawn.get(figure);
    if (!state?.view || (state.busy && !evenBusy)) return;
    state.finalize();
    state.canvas.replaceChildren();
    state.view = state.finalize = undefined;
  }

  function sample(arm, parent) {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    const line = document.createElementNS(space, "line");
    const attributes = {x1: 0, y1: 4, x2: 30, y2: 4, stroke: arm.colour, "stroke-width": 3};
    for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, value);
    if (arm.dash.length) line.setAttribute("stroke-dasharray", arm.dash.join());
    svg.setAttribute("class", "sample");
    svg.setAttribute("viewBox", "0 0 30 8");
    svg.setAttribute("aria-hidden", "true");
    svg.append(line);
    parent.append(svg);
  }

  function legend(list, lines) {
    const shown = [...new Set(lines.map((line) => line.arm))].sort((a, b) => a - b);
    list.replaceChildren();
    for (const arm of shown.slice(0, told.most_named).map((index) => told.arms[index])) {
      const item = element("li", "", list);
      sample(arm, item);
      item.append(arm.id);
    }
    const more = shown.length - told.most_named;
    if (more > 0) element("li", "", list).textContent = `and ${more} more`;
  }

  // Only while nothing scrolls: a view takes longer to make than a frame lasts.
  let timer = 0;
  function soon() {
    clearTimeout(timer);
    timer = setTimeout(next, CALM_MS);
  }
  async function next() {
    const [figure] = waiting;
    if (!figure) return;
    waiting.delete(figure);
    const state = drawn.get(figure);
    if (!state?.view || state.stale) await draw(figure);
    clearTimeout(timer);
    timer = setTimeout(next, 0);
  }
  function redraw() {
    for (const [figure, state] of drawn) {
      state.stale = true;
      if (near.has(figure)) waiting.add(figure);
      else release(figure);
    }
    soon();
  }

  // --- pointing ---------------------------------------------------------------------------------

  function showTip(text, x, y) {
    tip.textContent = text;
    tip.hidden = false;
    const {width, height} = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - width - 4))}px`;
    tip.style.top = `${y + 16 + height > innerHeight ? Math.max(4, y - height - 10) : y + 16}px`;
  }
  function hideTip() {
    tip.hidden = true;
  }

  function nearest(state, x, y) {
    const across = state.view.scale("x");
    const down = state.view.scale("y");
    let found = null;
    let least = NEAREST_PIXELS ** 2;
    for (const line of state.data.lines) {
      for (let at = 0; at < line.x.length; at += 1) {
        if (line.y[at] === null) continue;
        const away = across(line.x[at]) - x;
        if (away > NEAREST_PIXELS) break;
        if (away < -NEAREST_PIXELS) continue;
        const distance = away ** 2 + (down(line.y[at]) - y) ** 2;
        if (distance < least) {
          least = distance;
          found = {line, x: line.x[at], y: line.y[at], left: across(line.x[at]), top: down(line.y[at])};
        }
      }
    }
    return found;
  }

  // Where the plot begins inside the host, pixels: axes stand before it.
  function origin(state) {
    const [x, y] = state.view.origin();
    const {left, top} = state.view.padding();
    return [x + left, y + top];
  }

  function point(state, chart, event) {
    const box = state.canvas.getBoundingClientRect();
    const [left, top] = origin(state);
    const found = nearest(state, event.clientX - box.left - left, event.clientY - box.top - top);
    state.dot.hidden = !found;
    if (!found) return hideTip();
    state.dot.style.left = `${found.left + left}px`;
    state.dot.style.top = `${found.top + top}px`;
    const where = chart.x_unit === "quantile" ? quantile(found.x) : `${found.x.toFixed(1)} s`;
    const value = quantity(found.y * (chart.factor ?? 1), chart.unit);
    const who = told.arms[found.line.arm].id;
    const run = found.line.run ? `\nrun ${found.line.run}` : "";
    return showTip(`${who}\n${value} at ${where}${run}`, event.clientX, event.clientY);
  }

  function listen(figure, chart, state) {
    let from = null;
    const at = (event) => event.clientX - state.canvas.getBoundingClientRect().left - origin(state)[0];
    state.host.addEventListener("pointerdown", (event) => {
      if (!state.view || event.pointerType === "touch" || event.button !== 0) return;
      from = at(event);
      state.host.setPointerCapture(event.pointerId);
    });
    state.host.addEventListener("pointermove", (event) => {
      if (!state.view) return;
      point(state, chart, event);
      if (from === null) return;
      const [low, high] = [from, at(event)].sort((a, b) => a - b);
      state.band.hidden = high - low < 5;
      state.band.style.left = `${low + origin(state)[0]}px`;
      state.band.style.width = `${high - low}px`;
    });
    state.host.addEventListener("pointerup", (event) => {
      if (from === null) return;
      const [low, high] = [from, at(event)].sort((a, b) => a - b);
      from = null;
      state.band.hidden = true;
      if (high - low >= 5) zoomTo(state, low, high);
    });
    state.host.addEventListener("pointerleave", () => {
      state.dot.hidden = true;
      hideTip();
    });
    state.host.addEventListener("keydown", (event) => {
      const act = {ArrowLeft: "left", ArrowRight: "right", "+": "in", "-": "out", 0: "all"}[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      move(state, act);
    });
  }

  // --- zooming ----------------------------------------------------------------------------------

  // All in pixels of the present view, so that logarithmic axes need nothing of their own.
  function zoomTo(state, low, high) {
    const x = state.view.scale("x");
    const [first, last] = state.full ??= x.domain();
    const inside = (value) => Math.min(last, Math.max(first, value));
    const range = [inside(x.invert(low)), inside(x.invert(high))];
    if (!(range[1] > range[0])) return;
    state.zoom = range[0] <= first && range[1] >= last ? null : range;
    state.view.signal("zoom", state.zoom).runAsync();
  }

  function move(state, act) {
    if (!state.view) return;
    const width = state.view.scale("x").range()[1];
    const spans = {left: [-0.25, 0.75], right: [0.25, 1.25], in: [0.25, 0.75], out: [-0.5, 1.5], all: [-1e3, 1e3]};
    if (state.zoom === null && (act === "left" || act === "right")) return;
    zoomTo(state, ...spans[act].map((share) => share * width));
  }

  function tools(figure, chart, state) {
    const bar = element("div", "tools", figure);
    const acts = [["in", "Zoom in"], ["out", "Zoom out"], ["left", "←"], ["right", "→"], ["all", "Show all"]];
    for (const [act, text] of acts) {
      const button = element("button", "", bar);
      button.type = "button";
      button.textContent = text;
      if (text.length === 1) button.setAttribute("aria-label", `Move ${act}`);
      button.addEventListener("click", () => move(state, act));
    }
  }

  // --- arms -------------------------------------------------------------------------------------

  function arms() {
    const form = document.getElementById("arms");
    if (!form) return;
    const boxes = [...form.querySelectorAll("input[type=checkbox]")];
    const filter = form.querySelector("input[type=search]");
    const count = form.querySelector(".count");
    const ids = new Map(told.arms.map((arm, index) => [arm.id, index]));
    const rows = [...document.querySelectorAll("[data-arm]")];
    const tell = () => { count.textContent = `${picked.size} of ${told.arms.length}`; };
    const apply = () => {
      picked.clear();
      for (const box of boxes) if (box.checked) picked.add(Number(box.value));
      for (const row of rows) row.hidden = !picked.has(ids.get(row.dataset.arm));
      tell();
      redraw();
    };
    const sets = {all: () => true, none: () => false, first: (index) => told.picked.includes(index)};
    for (const box of boxes) box.checked = picked.has(Number(box.value));
    form.addEventListener("change", (event) => {
      if (event.target.type === "checkbox") apply();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    for (const button of form.querySelectorAll("button")) {
      button.addEventListener("click", () => {
        for (const box of boxes) {
          if (!box.parentElement.hidden) box.checked = sets[button.value](Number(box.value));
        }
        apply();
      });
    }
    filter.addEventListener("input", () => {
      const wanted = filter.value.toLowerCase();
      for (const box of boxes) {
        box.parentElement.hidden = !box.parentElement.textContent.toLowerCase().includes(wanted);
      }
    });
    tell();
    form.hidden = false;
    document.querySelector("nav [href='#arms']").hidden = false;
  }

  // --- begin ------------------------------------------------------------------------------------

  arms();
  const seen = new IntersectionObserver((entries) => {
    for (const {target, isIntersecting} of entries) {
      for (const figures of [near, waiting]) {
        if (isIntersecting) figures.add(target);
        else figures.delete(target);
      }
    }
    soon();
  }, {rootMargin: NEAR});
  const left = new IntersectionObserver((entries) => {
    for (const {target, isIntersecting} of entries) if (!isIntersecting) release(target);
  }, {rootMargin: `${FAR_SCREENS * 100}%`});
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    seen.observe(figure);
    left.observe(figure);
  }
  addEventListener("scroll", soon, {passive: true});
  dark.addEventListener("change", redraw);
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) redraw();
    width = innerWidth;
  });
})();
