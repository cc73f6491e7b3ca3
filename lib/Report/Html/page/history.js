// The run over time, from its start to its end: one figure at a time, drawn as
// an SVG, which fits the screen and the paper alike.

const svgNames = 'http://www.w3.org/2000/svg';
// The drawing's own units. Its width is the page's where it is drawn, within
// limits; elsewhere it is scaled.
const curveSize = {least: 340, most: 1200, height: 240, left: 64, right: 12, top: 12, bottom: 26};

function makeSvg(tag, attributes, text) {
  const element = document.createElementNS(svgNames, tag);
  for (const [key, value] of Object.entries(attributes))
    element.setAttribute(key, value);
  if (text !== undefined)
    element.textContent = text;
  return element;
}

// A round number at or above VALUE.
function roundUp(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find(times => times * unit >= value * 0.9999) * unit;
}

// A round number of nanoseconds, COUNT of which make at most NS.
const roundTime = (ns, count) => roundUp(ns / count);

// Shares of the loop's step time; without a loop, of the processes' time.
function historyParts(history, loop) {
  const parts = history.parts.filter(part => part.loop === loop && part.use !== 'inner_waits');
  return {name: loop === null ? 'phases' : 'by phase', unit: '%', stacked: true, top: 100, lines: parts.map(part => ({
    name: part.name, node: part.node, values: part.shares}))};
}

// What can be drawn: {name, unit, lines of {name, values by bin}}. Metrics are
// sampled less often than short bins end: their lines go on meanwhile.
function historyFigures(history) {
  const figures = [];
  history.loops.forEach((loop, index) => {
    const prefix = history.loops.length > 1 ? loop.name + ': ' : '';
    const add = figure => figures.push(Object.assign(figure, {name: prefix + figure.name}));
    add({name: loop.unit, unit: loop.unit, lines: [{name: loop.name, values: loop.rates}]});
    add({name: 'step time', unit: 'ns', lines: [
      {name: 'longest', values: loop.longest, dots: true}, {name: 'p95', values: loop.p95}, {name: 'p50', values: loop.p50}]});
    add(historyParts(history, index));
  });
  const outside = historyParts(history, null);
  if (outside.lines.length)
    figures.push(Object.assign(outside, {name: history.loops.length ? 'outside the loops' : 'phases'}));
  for (const gauge of history.gauges)
    figures.push({name: gauge.name, unit: gauge.unit, lines: [{name: gauge.name, values: gauge.values, sampled: true}]});
  return figures.filter(figure => figure.lines.some(line => line.values.some(value => value !== null)));
}

function historyValue(value, unit) {
  if (value === null || value === undefined)
    return 'not known';
  if (unit === 'ns')
    return duration(value);
  if (unit === '%')
    return value === 0 ? '0%' : percent(value);
  return grouped(value >= 100 ? Math.round(value) : Number(value.toPrecision(3))) + (unit ? ' ' + unit : '');
}

const curveColours = ['#057ab3', '#bb550e', '#248530'];
const lineColour = (figure, index) => figure.stacked ? colourOf(figure.lines[index].name) : curveColours[index % 3];

// The drawing of FIGURE. Bins may differ in length, so each is a step of its
// line; where nothing is known, there is a gap.
class CurveDrawing {
  constructor(history, figure, width) {
    this.width = Math.max(curveSize.least, Math.min(curveSize.most, width));
    Object.assign(this, {history, figure, end: history.ends.at(-1)});
    const {height} = curveSize;
    this.svg = makeSvg('svg', {viewBox: '0 0 ' + this.width + ' ' + height, class: 'curve', role: 'img'});
    const most = Math.max(...figure.lines.flatMap(line => line.values), 0);
    this.top = figure.top || (most > 0 ? roundUp(most) : 1);
    this.drawAxes();
    figure.stacked ? this.drawStack() : figure.lines.forEach((line, index) => this.drawLine(line, index));
    this.cursor = makeSvg('line', {class: 'cursor', y1: curveSize.top, y2: height - curveSize.bottom, visibility: 'hidden'});
    this.svg.append(this.cursor);
  }
  x(ns) {
    return curveSize.left + ns / this.end * (this.width - curveSize.left - curveSize.right);
  }
  y(value) {
    const height = curveSize.height - curveSize.top - curveSize.bottom;
    return curveSize.top + (1 - Math.min(value, this.top) / this.top) * height;
  }
  start(bin) {
    return bin ? this.history.ends[bin - 1] : 0;
  }
  drawAxes() {
    for (let part = 0; part <= 4; ++part) {
      const y = this.y(this.top * part / 4);
      this.svg.append(makeSvg('line', {class: 'grid', x1: curveSize.left, x2: this.width - curveSize.right, y1: y, y2: y}),
                      makeSvg('text', {x: curveSize.left - 6, y: y + 4, 'text-anchor': 'end'},
                              historyValue(this.top * part / 4, this.figure.unit).replace(' ' + this.figure.unit, '')));
    }
    const every = roundTime(this.end, this.width > 700 ? 8 : 4);
    for (let ns = 0; ns <= this.end; ns += every)
      this.svg.append(makeSvg('text', {x: this.x(ns), y: curveSize.height - 6,
                                       'text-anchor': ns === 0 ? 'start' : ns > this.end * 0.97 ? 'end' : 'middle'}, duration(ns)));
  }
  drawLine(line, index) {
    const colour = lineColour(this.figure, index);
    if (line.dots) {
      line.values.forEach((value, bin) => {
        if (value !== null)
          this.svg.append(makeSvg('circle', {cx: (this.x(this.start(bin)) + this.x(this.history.ends[bin])) / 2, cy: this.y(value), r: 1.8, fill: colour}));
      });
      return;
    }
    let path = '', open = false;
    line.values.forEach((value, bin) => {
      if (value === null) {
        open = open && Boolean(line.sampled);
        return;
      }
      const from = this.x(this.start(bin)).toFixed(1), to = this.x(this.history.ends[bin]).toFixed(1);
      const y = this.y(value).toFixed(1);
      path += (open ? 'L' : 'M') + from + ' ' + y + 'H' + to;
      open = true;
    });
    this.svg.append(makeSvg('path', {d: path, class: 'line', stroke: colour}));
  }
  drawStack() {
    const below = this.history.ends.map(() => 0);
    this.figure.lines.forEach((line, index) => {
      let path = '';
      line.values.forEach((value, bin) => {
        if (!value)
          return;
        const from = this.x(this.start(bin)).toFixed(1), to = this.x(this.history.ends[bin]).toFixed(1);
        path += 'M' + from + ' ' + this.y(below[bin]).toFixed(1) + 'H' + to + 'V' + this.y(below[bin] += value).toFixed(1) + 'H' + from + 'Z';
      });
      if (path)
        this.svg.append(makeSvg('path', {d: path, fill: lineColour(this.figure, index)}));
    });
  }
  // The bin at the pointer, or null; CLAMPED: the nearest one.
  binAt(event, clamped = false) {
    const box = this.svg.getBoundingClientRect();
    let ns = ((event.clientX - box.left) / box.width * this.width - curveSize.left) /
        (this.width - curveSize.left - curveSize.right) * this.end;
    if (clamped)
      ns = Math.max(0, Math.min(ns, this.end * (1 - 1e-9)));
    const bin = this.history.ends.findIndex(end => end > ns);
    return ns < 0 || bin < 0 ? null : bin;
  }
  // Marks the bins from FIRST up to END.
  choose(first, end) {
    if (!this.chosen)
      this.svg.append(this.chosen = makeSvg('rect', {class: 'chosen', y: curveSize.top, height: curveSize.height - curveSize.top - curveSize.bottom}));
    this.chosen.setAttribute('x', this.x(this.start(first)));
    this.chosen.setAttribute('width', Math.max(1, this.x(this.history.ends[end - 1]) - this.x(this.start(first))));
  }
  mark(bin) {
    this.cursor.setAttribute('visibility', bin === null ? 'hidden' : 'visible');
    if (bin === null)
      return;
    const x = (this.x(this.start(bin)) + this.x(this.history.ends[bin])) / 2;
    this.cursor.setAttribute('x1', x);
    this.cursor.setAttribute('x2', x);
  }
}

// What a bin shows, in words.
function binText(history, figure, bin) {
  const from = bin ? history.ends[bin - 1] : 0;
  const known = figure.lines.filter(line => line.values[bin] !== null);
  const lines = figure.stacked ? known.filter(line => line.values[bin] >= 0.05) : known;
  return duration(from) + ' to ' + duration(history.ends[bin]) + ': ' + (lines.map(
      line => (figure.lines.length > 1 ? line.name + ' ' : '') + historyValue(line.values[bin], figure.unit)).join(', ') ||
      (!known.length ? 'nothing is known' : known.some(line => line.values[bin] > 0) ? 'each phase below 0.1%' : 'no phase ran'));
}

// The curve in words, for those who don't see it.
function curveLabel(history, figure) {
  const ranges = figure.lines.slice(0, 4).map(line => {
    const known = line.values.filter(value => value !== null);
    return known.length ? line.name + ' from ' + historyValue(Math.min(...known), figure.unit) + ' to ' +
        historyValue(Math.max(...known), figure.unit) : '';
  }).filter(Boolean);
  return figure.name + ' over the run, ' + duration(history.ends.at(-1)) + ': ' + ranges.join('; ');
}

function curveLegend(figure) {
  const list = make('p', 'small-parts');
  if (figure.lines.length < 2)
    return list;
  figure.lines.forEach((line, index) => {
    const dot = make('span', 'dot');
    dot.style.backgroundColor = lineColour(figure, index);
    list.append(make('span', 'small-part', null, dot, line.node === null || line.node === undefined ? make('span', '', line.name)
        : linkTo({node: line.node, tab: 'tree'}, line.name, '', showTabs)));
  });
  return list;
}

// The state with the bins from FIRST up to END as the chosen part, which the
// timeline shows if it has it; without a first one, the whole run.
function chosenPart(run, first, end) {
  if (first === null)
    return {part: null, range: null};
  const {history, timeline} = run;
  const part = [first ? history.ends[first - 1] : 0, history.ends[end - 1]];
  if (!timeline || !history.timeline)
    return {part};
  const from = Math.max(part[0], timeline.from), to = Math.min(part[1], timeline.to);
  return {part, range: from < to ? [from, to] : null};
}

// Dragging in BOX chooses bins; DRAWING() is what is seen, which may be drawn anew
// meanwhile.
function dragPart(run, box, drawing) {
  let from = null;
  const bins = event => {
    const to = drawing().binAt(event, true);
    return [Math.min(from, to), Math.max(from, to) + 1];
  };
  box.addEventListener('pointerdown', event => {
    if (event.button !== 0 || !event.target.closest('svg') || drawing().binAt(event) === null)
      return;
    from = drawing().binAt(event);
  });
  box.addEventListener('pointermove', event => {
    if (!event.buttons)
      from = null; // the button went up elsewhere
    if (from === null || drawing().binAt(event, true) === from)
      return;
    // Only now: a double click's target stays what is under it.
    box.setPointerCapture(event.pointerId);
    drawing().choose(...bins(event));
  });
  box.addEventListener('pointerup', event => {
    if (from === null)
      return;
    const [first, end] = bins(event), isDrag = end - first > 1;
    from = null;
    if (isDrag)
      go(chosenPart(run, first, end));
  });
  box.addEventListener('pointercancel', () => from = null);
  box.addEventListener('dblclick', event => {
    const bin = event.target.closest('svg') ? drawing().binAt(event) : null;
    if (bin !== null)
      go(chosenPart(run, bin, bin + 1));
  });
}

function historyView(run) {
  const {history} = run;
  const figures = history ? historyFigures(history) : [];
  if (!figures.length)
    return null;
  const box = make('div', 'curve-box');
  const status = make('p', 'hint curve-bin');
  status.setAttribute('aria-live', 'polite');
  const hint = history.ends.length + ' bins' + (history.processes > 1 ? ' of ' + history.processes + ' processes together' : '') + '.';
  const how = make('span', 'how', ' Point at the curve, or use the arrow keys, for a bin’s figures. Drag, or hold Shift with the arrow keys, to choose a part of the run.');
  let bin = null, anchor = null, figure, drawing;
  const point = next => {
    bin = next;
    drawing.mark(bin);
    status.replaceChildren(...(bin === null ? [hint, how] : [binText(history, figure, bin)]));
  };
  const draw = index => {
    figure = figures[index];
    drawing = new CurveDrawing(history, figure, box.clientWidth || curveSize.most);
    drawing.svg.setAttribute('aria-label', curveLabel(history, figure));
    drawing.svg.addEventListener('pointermove', event => point(drawing.binAt(event)));
    drawing.svg.addEventListener('pointerleave', () => point(null));
    const part = partNow(history);
    if (part)
      drawing.choose(part.first, part.end);
    box.replaceChildren(drawing.svg, curveLegend(figure));
    point(bin);
  };
  let width = 0;
  box.fit = () => {
    if (box.clientWidth && box.clientWidth !== width) {
      width = box.clientWidth;
      draw(figures.indexOf(figure));
    }
  };
  fitting.observe(box);
  box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', 'The run over time; the arrow keys move from bin to bin, with Shift they choose a part');
  box.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target !== box)
      return;
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (event.key === 'Escape' && state.part)
      go(chosenPart(run, null));
    if (!step)
      return;
    event.preventDefault();
    const before = bin === null ? (step > 0 ? -1 : history.ends.length) : bin;
    const next = Math.max(0, Math.min(history.ends.length - 1, before + step));
    anchor = !event.shiftKey ? null : anchor === null ? (bin === null ? next : bin) : anchor;
    if (anchor !== null)
      go(chosenPart(run, Math.min(anchor, next), Math.max(anchor, next) + 1));
    point(next);
  });
  const choose = makeSwitch('Figure', figures.map((each, index) => [String(index), each.name]), '0', value => {
    choose.show(value);
    draw(Number(value));
  });
  choose.classList.add('figures');
  const whole = makeButton('Whole run', () => go(chosenPart(run, null)));
  const below = partView(history);
  dragPart(run, box, () => drawing);
  draw(0);
  const section = makeSection('history', 'The run over time', make('div', 'tools', null, choose, whole), box, status, below);
  section.update = changed => {
    enable(whole, state.part !== null);
    if (!changed.has('part'))
      return;
    draw(figures.indexOf(figure));
    below.fill();
  };
  section.update(new Set());
  return section;
}
