// Draws the timeline on a canvas: each track has a lane for each row of its
// spans. Where a span is too narrow or isn't on the page, a lane shows how much
// of the time each name took, as parts of the lane's height.

const laneHeight = 18, laneGap = 2, axisHeight = 22, mapHeight = 8;
const narrowest = 1.5; // pixels of a span that is drawn by itself
const longestCanvas = 16000; // pixels

// The tracks of WHOLE, those that are PINNED first.
const tracksInOrder = (whole, pinned) => [...pinned, ...whole.tracks.filter(track => !pinned.has(track))];

// The lanes of TRACKS: {track, row}; a track that isn't in OPEN has one lane for
// all of its rows, with row null.
function lanesOf(tracks, open) {
  return tracks.flatMap(track => open.has(track)
      ? Array.from({length: track.depth}, (unused, row) => ({track, row})) : [{track, row: null}]);
}

// A time on an axis whose marks are EVERY ns apart: with as many digits as tell
// them apart.
function axisTime(ns, every) {
  if (ns === 0)
    return '0';
  const [unit, suffix] = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']].find(([each]) => ns >= each) || [1, 'ns'];
  const digits = Math.max(0, Math.min(9, Math.ceil(Math.log10(unit / every) - 1e-9)));
  const isWhole = Math.abs(every / unit * 10 ** digits % 1) < 1e-6;
  return (ns / unit).toFixed(unit === 1 ? 0 : isWhole ? digits : digits + 1) + ' ' + suffix;
}

let drawings = 0;

// The theme's colours that the timeline uses, read once: a drawing lives as long
// as its theme.
function laneColours() {
  return Object.fromEntries(['raised', 'quiet', 'select', 'accent', 'line', 'ground', 'text'].map(name => [name, cssColour('--' + name)]));
}

// A drawing of the timeline WHOLE in BOX, with TRACKS from the top to the bottom.
// Neither draw() nor what it calls asks the page for anything that it would lay
// out for the answer.
class LaneDrawing {
  constructor(box, whole, open, tracks = whole.tracks) {
    Object.assign(this, {box, whole, open, id: ++drawings, view: [whole.from, whole.to], labels: [], colours: laneColours(), frame: 0});
    this.canvas = make('canvas');
    this.tip = make('div', 'tip');
    this.tip.hidden = true;
    box.replaceChildren(this.canvas, this.tip);
    this.lanes = lanesOf(tracks, open);
    this.layout();
  }
  // Gives the box its height and the canvas the box's size.
  layout() {
    const height = axisHeight + mapHeight + this.lanes.length * laneHeight;
    this.box.style.height = height + 2 + 'px';
    this.width = Math.max(50, this.box.clientWidth);
    const scale = Math.min(window.devicePixelRatio || 1, longestCanvas / height);
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(height * scale);
    Object.assign(this.canvas.style, {width: this.width + 'px', height: height + 'px'});
    Object.assign(this, {height, scale});
  }
  resize() {
    this.layout();
    this.draw();
  }
  dispose() {
    cancelAnimationFrame(this.frame);
    this.box.replaceChildren();
  }
  // Draws once before the next frame, however often it is asked for.
  drawSoon() {
    if (!this.frame)
      this.frame = requestAnimationFrame(() => this.draw());
  }

  x(ns) {
    return (ns - this.view[0]) / (this.view[1] - this.view[0]) * this.width;
  }
  timeAt(x) {
    return this.view[0] + x / this.width * (this.view[1] - this.view[0]);
  }
  laneTop(index) {
    return axisHeight + mapHeight + index * laneHeight;
  }
  get perPixel() { // ns
    return (this.view[1] - this.view[0]) / this.width;
  }
  // Whether a cell is wider than two pixels.
  get isFine() {
    return this.perPixel * 2 < this.whole.cell;
  }

  draw() {
    const context = this.canvas.getContext('2d');
    cancelAnimationFrame(this.frame);
    Object.assign(this, {context, frame: 0, boxes: new LaneBoxes(this.scale), labels: [], borders: [], hatched: []});
    context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.font = '12px system-ui, sans-serif';
    context.textBaseline = 'middle';
    this.drawAxis();
    this.lanes.forEach((lane, index) => this.drawLane(lane, this.laneTop(index)));
    this.boxes.paint(context);
    this.drawHatching();
    this.drawLabels();
    this.drawArrows();
  }

  drawAxis() {
    const {context, whole, width, colours} = this;
    const part = ns => (ns - whole.from) / (whole.to - whole.from) * width;
    // The whole timeline: where single spans are, and what is seen.
    context.fillStyle = colours.raised;
    context.fillRect(0, 0, width, mapHeight);
    context.fillStyle = colours.quiet;
    for (const track of whole.tracks)
      for (const {from, to} of track.windows)
        context.fillRect(part(from), 2, Math.max(0.5, part(to) - part(from)), mapHeight - 4);
    context.fillStyle = colours.select;
    context.fillRect(part(this.view[0]), 0, Math.max(2, part(this.view[1]) - part(this.view[0])), mapHeight);
    context.strokeStyle = colours.accent;
    context.strokeRect(part(this.view[0]) + 0.5, 0.5, Math.max(2, part(this.view[1]) - part(this.view[0]) - 1), mapHeight - 1);
    const every = roundTime(this.view[1] - this.view[0], Math.max(2, Math.floor(width / 130)));
    context.strokeStyle = colours.line;
    const first = Math.ceil((this.view[0] - whole.from) / every);
    for (let i = first; whole.from + i * every <= this.view[1]; ++i) {
      const x = Math.round(this.x(whole.from + i * every)) + 0.5;
      context.beginPath();
      context.moveTo(x, mapHeight);
      context.lineTo(x, this.height);
      context.stroke();
      context.fillStyle = colours.quiet;
      const text = axisTime(i * every, every);
      const half = context.measureText(text).width / 2;
      context.fillText(text, Math.max(2, Math.min(x - half, width - 2 * half - 2)), mapHeight + axisHeight / 2);
    }
  }

  drawLane(lane, y) {
    const {track} = lane;
    const column = new LaneColumn(this.boxes, y, laneHeight - laneGap);
    const [from, to] = this.view;
    if (!track.columns.length || this.isFine)
      for (const window of track.windows)
        if (window.from < to && window.to > from)
          this.drawSpans(lane, window, y, column);
    if (track.columns.length) {
      // Around the windows.
      let start = from;
      if (this.isFine)
        for (const window of track.windows) {
          if (window.to <= start || window.from >= to)
            continue;
          this.drawCells(lane, start, window.from, y, column);
          start = window.to;
        }
      this.drawCells(lane, start, to, y, column);
    }
    column.end();
  }

  drawSpans({row}, window, y, column) {
    const low = Math.max(window.from, this.view[0]), high = Math.min(window.to, this.view[1]);
    const {starts, ends, spans, first} = rowOf(window, row);
    for (let i = first(low); i < spans.length && starts[i] < high; ++i) {
      if (ends[i] <= low)
        continue;
      const x0 = this.x(Math.max(starts[i], low)), x1 = this.x(Math.min(ends[i], high)), {path} = spans[i];
      if (x1 - x0 < narrowest) {
        for (let x = Math.floor(x0); x < x1; ++x)
          column.add(x, 1, path, Math.min(x1, x + 1) - Math.max(x0, x));
        continue;
      }
      column.flush();
      this.boxes.addSpan(path, x0, x1 - 0.5, y, laneHeight - laneGap);
      this.label(path, x0, x1, y);
    }
    column.flush();
  }

  // The cells of [from, to): a column of pixels has whole cells, or a cell has
  // several pixels.
  drawCells({track, row}, from, to, y, column) {
    if (to <= from)
      return;
    const {whole} = this;
    const shown = row === null ? track.columns : track.columns.filter(each => each.path.depth === row);
    const step = Math.max(this.perPixel * 2, whole.cell);
    const first = Math.floor((from - whole.from) / step);
    let run = null; // one path has the lane for itself since
    const endRun = x => {
      if (run)
        this.label(run.path, run.x, x, y);
      run = null;
    };
    for (let i = first; whole.from + i * step < to; ++i) {
      const low = Math.max(from, whole.from + i * step), high = Math.min(to, whole.from + (i + 1) * step);
      const cell = Math.min(whole.count - 1, Math.max(0, Math.round(i * step / whole.cell)));
      const next = Math.min(whole.count, Math.max(cell + 1, Math.round((i + 1) * step / whole.cell)));
      const x0 = this.x(low), x1 = this.x(high);
      let only = null;
      for (const {path, own, all} of shown) {
        const sums = row === null ? own : all;
        const units = sums[next] - sums[cell];
        if (!units)
          continue;
        const share = units / 255 / (next - cell);
        column.add(x0, x1 - x0, path, share);
        if (share > 0.9)
          only = path;
      }
      column.flush();
      if (!run || run.path !== only) {
        endRun(x0);
        run = only && {path: only, x: x0};
      }
    }
    endRun(this.x(to));
    if (this.isFine)
      this.hatched.push(this.x(from), y, this.x(to) - this.x(from));
  }

  label(path, x0, x1, y) {
    if (x1 - Math.max(0, x0) > 24)
      this.labels.push({path, x: Math.max(0, x0), width: Math.min(x1, this.width) - Math.max(0, x0), y});
    if (path.node !== null && path.node === state.node && x1 - x0 > 4)
      this.borders.push(x0, y, x1 - x0);
  }

  // Sums that look like single spans are marked.
  drawHatching() {
    const {context} = this;
    context.strokeStyle = this.colours.ground;
    context.lineWidth = 1;
    context.globalAlpha = 0.5;
    context.beginPath();
    for (let i = 0; i < this.hatched.length; i += 3) {
      const [x, y, width] = this.hatched.slice(i, i + 3), height = laneHeight - laneGap;
      for (let at = x - height; at < x + width; at += 8) {
        const start = Math.max(at, x), end = Math.min(at + height, x + width);
        context.moveTo(start, y + height - (start - at));
        context.lineTo(end, y + height - (end - at));
      }
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  drawLabels() {
    const {context} = this;
    context.strokeStyle = this.colours.text;
    context.lineWidth = 1.5;
    for (let i = 0; i < this.borders.length; i += 3)
      context.strokeRect(this.borders[i], this.borders[i + 1], this.borders[i + 2], laneHeight - laneGap);
    context.lineWidth = 1;
    context.fillStyle = onColour;
    for (const {path, x, width, y} of this.labels)
      context.fillText(fittingText(context, pathLabel(path), width - 8), x + 4, y + (laneHeight - laneGap) / 2 + 1);
  }

  // From the launches of the chosen call path to their work.
  drawArrows() {
    if (state.node === null)
      return;
    const {context} = this;
    context.strokeStyle = context.fillStyle = this.colours.text;
    const [low, high] = this.view;
    const arrows = this.lanes.flatMap(({track, row}, index) => track.windows.filter(each => each.from <= high && each.to >= low).flatMap(
        window => launchedIn(window).filter(span => span.path.node === state.node && (row === null || span.path.depth === row) &&
            span.start <= high && span.end >= low).map(span => [span, index])));
    for (const [span, index] of arrows.slice(0, arrowsAtMost)) {
      const from = this.lanes.findIndex(lane => lane.track === this.whole.tracks[span.launch[0]]);
      const x0 = this.x(span.launch[1]), y0 = this.laneTop(from) + laneHeight / 2;
      const x1 = this.x(span.start), y1 = this.laneTop(index) + laneHeight / 2 - 1;
      context.beginPath();
      context.moveTo(x0, y0);
      context.bezierCurveTo((x0 + x1) / 2, y0, (x0 + x1) / 2, y1, x1, y1);
      context.stroke();
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x1 - 7, y1 - 4);
      context.lineTo(x1 - 7, y1 + 4);
      context.fill();
    }
  }

  // What is at a place: {path, span or null, from, to, parts of [path, ns]}.
  at(x, y) {
    const lane = this.lanes[Math.floor((y - axisHeight - mapHeight) / laneHeight)];
    if (!lane || y < axisHeight + mapHeight)
      return null;
    const ns = this.timeAt(x);
    const window = lane.track.windows.find(each => each.from <= ns && each.to > ns);
    if (window && (!lane.track.columns.length || this.isFine))
      return spanAt(lane, window, ns - this.perPixel / 2, ns + this.perPixel / 2);
    return lane.track.columns.length ? this.cellsAt(lane, ns) : null;
  }
  cellsAt({track, row}, ns) {
    const {whole} = this;
    const cells = Math.max(1, Math.round(this.perPixel * 2 / whole.cell));
    const from = Math.max(0, Math.min(whole.count - cells, Math.floor((ns - whole.from) / whole.cell)));
    const parts = [];
    for (const {path, own, all} of track.columns) {
      const sums = row === null ? own : all;
      const units = sums[from + cells] - sums[from];
      if (units && (row === null || path.depth === row))
        parts.push([path, units / 255 * whole.cell]);
    }
    parts.sort((a, b) => b[1] - a[1]);
    return parts.length ? {path: parts[0][0], span: null, parts, from: whole.from + from * whole.cell,
                           to: whole.from + (from + cells) * whole.cell} : null;
  }
}

// Arrows that are drawn at once.
const arrowsAtMost = 200;

// What a box of PATH shows: phases are called as they are.
function pathLabel(path) {
  const node = path.node === null ? null : treeNow().nodes[path.node];
  return node && node.name === path.name ? labelOf(node) : shortName(path.name);
}

// TEXT, cut where it is wider than WIDTH pixels: a long one in the middle.
const textWidths = new Map();
function fittingText(context, text, width) {
  if (!textWidths.has(text))
    textWidths.set(text, context.measureText(text).width);
  const full = textWidths.get(text);
  if (full <= width)
    return text;
  const letters = Math.floor(text.length * width / full) - 1;
  if (letters < 10)
    return letters < 2 ? '' : text.slice(0, letters) + '…';
  return text.slice(0, Math.ceil(letters / 2)) + '…' + text.slice(text.length - Math.floor(letters / 2));
}
