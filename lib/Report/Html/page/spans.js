// The timeline's spans and cells, from the bytes that HtmlTimelineJson.cpp
// writes, and what they add up to.

// Numbers in base64.
class ByteReader {
  constructor(text) {
    this.bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    this.at = 0;
  }
  number() {
    let value = 0, unit = 1;
    for (;; unit *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * unit;
      if (byte < 128)
        return value;
    }
  }
  signed() {
    const value = this.number();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

const otherPath = {name: '(other)', parent: null, depth: 0, node: null, ns: 0, spans: 0};

// A track's windows with what runs in each: {from, to, spans}, spans by start.
function readWindows(track, paths) {
  const from = new ByteReader(track.spans);
  return track.windows.map(([start, end, count]) => {
    const spans = [];
    let before = start;
    for (let i = 0; i < count; ++i) {
      before += from.signed();
      const span = {start: before, end: before + from.number(), path: paths[from.number()], launch: null};
      const launchTrack = track.launches ? from.number() : 0;
      if (launchTrack)
        span.launch = [launchTrack - 1, before - from.signed()];
      spans.push(span);
    }
    return {from: start, to: end, spans};
  });
}

// Spans of WINDOW without what runs inside them, by start.
function ownPieces(window) {
  if (window.own)
    return window.own;
  const pieces = [], open = [];
  let done = window.from;
  const until = ns => {
    const span = open.at(-1);
    if (span && ns > done)
      pieces.push({start: Math.max(done, span.start), end: ns, path: span.path, launch: span.launch, whole: span});
    done = Math.max(done, ns);
  };
  const close = limit => {
    while (open.length && open.at(-1).end <= limit) {
      until(open.at(-1).end);
      open.pop();
    }
  };
  for (const span of window.spans) {
    close(span.start);
    until(span.start);
    while (open.length && open.at(-1).end < span.end)
      open.pop();
    open.push(span);
  }
  close(Infinity);
  window.own = pieces;
  return pieces;
}

// Those of WINDOW's spans that were launched somewhere.
function launchedIn(window) {
  window.launched ||= window.spans.filter(span => span.launch);
  return window.launched;
}

// The spans of WINDOW in ROW, or with ROW null its own pieces: {spans, starts and
// ends of each, first(ns)}, where FIRST is the first of them that may end after NS.
function rowOf(window, row) {
  window.rows ||= new Map();
  if (!window.rows.has(row)) {
    const spans = row === null ? ownPieces(window) : window.spans.filter(span => span.path.depth === row);
    const starts = Float64Array.from(spans, span => span.start), ends = Float64Array.from(spans, span => span.end);
    const latest = ends.slice(); // end so far
    for (let i = 1; i < latest.length; ++i)
      latest[i] = Math.max(latest[i], latest[i - 1]);
    const first = ns => {
      let low = 0, high = latest.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        latest[middle] > ns ? high = middle : low = middle + 1;
      }
      return low;
    };
    window.rows.set(row, {spans, starts, ends, first});
  }
  return window.rows.get(row);
}

// The span that has most of [from, to] in a lane, and what else is there.
function spanAt({row}, window, from, to) {
  const {spans, starts, ends, first} = rowOf(window, row);
  const parts = new Map();
  let best = null, most = 0, count = 0;
  for (let i = first(from); i < spans.length && starts[i] < to; ++i) {
    const ns = Math.min(ends[i], to) - Math.max(starts[i], from), span = spans[i];
    if (ns <= 0)
      continue;
    ++count;
    parts.set(span.path, (parts.get(span.path) || 0) + ns);
    if (ns > most) {
      most = ns;
      best = span.whole || span;
    }
  }
  return best && {path: best.path, span: best, from, to, count, parts: [...parts]};
}

// Columns with running sums by cell: own, and with all below, in 1/255 cells.
function readColumns(track, paths, count) {
  const from = new ByteReader(track.cells);
  const columns = track.columns.map(index => {
    const own = new Uint32Array(count + 1);
    for (let i = 0; i < count;) {
      const share = from.bytes[from.at++];
      if (share)
        own[++i] = share;
      else
        i += from.number();
    }
    return {path: index === null ? otherPath : paths[index], own, all: own.slice()};
  });
  const columnOf = new Map(columns.map(column => [column.path, column]));
  for (const {path, all} of columns.slice().reverse()) {
    const above = columnOf.get(path.parent);
    if (above)
      for (let i = 1; i <= count; ++i)
        above.all[i] += all[i];
  }
  for (const {own, all} of columns)
    for (let i = 0; i < count; ++i) {
      own[i + 1] += own[i];
      all[i + 1] += all[i];
    }
  return columns;
}

// {from, to, cell, tracks of {name, paths, depth, windows, columns}}; a track
// without columns has all of its spans in its windows.
function readTimeline(timeline) {
  if (timeline.read)
    return timeline.read;
  const {from, to, cells} = timeline;
  const tracks = timeline.tracks.map(track => {
    const paths = [];
    for (const [name, parent, depth, node, ns, spans] of track.paths)
      paths.push({name: timeline.names[name], parent: parent === null ? null : paths[parent], depth, node, ns, spans});
    return {name: track.name, paths, depth: 1 + paths.reduce((most, path) => Math.max(most, path.depth), 0),
            windows: readWindows(track, paths), columns: readColumns(track, paths, cells)};
  });
  timeline.read = {from, to, count: cells, cell: (to - from) / cells, tracks};
  return timeline.read;
}

// Whether no path above PATH has its name.
function isOutermost(path) {
  for (let above = path.parent; above; above = above.parent)
    if (above.name === path.name)
      return false;
  return true;
}

// The window of TRACK that has all of [from, to], if any.
function windowAround(track, from, to) {
  return track.windows.find(window => window.from <= from && window.to >= to);
}

// Sums of single spans in [from, to]: time of a name is that of its outermost
// spans.
function sumSpans({spans}, from, to, add) {
  const ends = new Map(); // by name, where its last span ends
  for (const {start, end, path} of spans) {
    const before = ends.has(path.name) ? ends.get(path.name) : -Infinity;
    const low = Math.max(start, from, before), high = Math.min(end, to);
    if (end > before)
      ends.set(path.name, end);
    if (high > low)
      add(path.name, high - low, 1);
  }
}

// Running sums between cells at PLACE, which may lie within one.
function sumAt(sums, place) {
  const cell = Math.min(Math.floor(place), sums.length - 2);
  return sums[cell] + (sums[cell + 1] - sums[cell]) * (place - cell);
}

function sumCells(whole, track, from, to, add) {
  const place = ns => Math.max(0, Math.min(whole.count, (ns - whole.from) / whole.cell));
  for (const {path, all} of track.columns) {
    const ns = (sumAt(all, place(to)) - sumAt(all, place(from))) / 255 * whole.cell;
    if (ns > 0 && isOutermost(path))
      add(path.name, ns, null);
  }
}

// What names took of the range [from, to] on each track, spans cut to it:
// {track, name, ns, count}; a count that isn't known is null.
function sumRange(timeline, [from, to]) {
  const whole = readTimeline(timeline);
  const rows = [];
  for (const track of whole.tracks) {
    const sums = new Map();
    const add = (name, ns, count) => {
      const sum = sums.get(name) || {track: track.name, name, ns: 0, count: 0};
      sum.ns += ns;
      sum.count = count === null ? null : sum.count + count;
      sums.set(name, sum);
    };
    const window = windowAround(track, Math.max(from, whole.from), Math.min(to, whole.to));
    if (window || !track.columns.length)
      sumSpans(window || track.windows[0], from, to, add);
    else if (from <= whole.from && to >= whole.to)
      track.paths.filter(path => path.spans && isOutermost(path)).forEach(path => add(path.name, path.ns, path.spans));
    else
      sumCells(whole, track, from, to, add);
    rows.push(...sums.values());
  }
  return rows.sort((a, b) => b.ns - a.ns);
}
