// A page that comes from `loopscope view` asks its server for the single spans of
// what is seen, where it has only bins. A page that is a file asks for nothing.

const server = document.documentElement.dataset;
const answersKept = 20; // of a timeline, by which the page grows

// WINDOWS and what they lack of ADDED, by start and without overlaps.
function withWindow(windows, added) {
  if (windows.some(window => window.from <= added.from && window.to >= added.to))
    return windows;
  const around = windows.flatMap(({from, to, spans}) => [[from, Math.min(to, added.from)], [Math.max(from, added.to), to]]
      .filter(([start, end]) => start < end).map(([start, end]) => ({from: start, to: end, spans})));
  return [...around, added].sort((a, b) => a.from - b.from);
}

// The paths of a track of an answer: the page's where it has them.
function pathsOfAnswer(timeline, track, rows) {
  const paths = [];
  for (const [name, parent, depth, node, onPage] of rows)
    paths.push(onPage === null ? {name: timeline.names[name], parent: parent === null ? null : paths[parent], depth, node, ns: 0, spans: 0}
        : track.paths[onPage]);
  return paths;
}

// Loads single spans of TIMELINE, of the run with this INDEX; ONCHANGE is called
// when there is something new to draw or to say.
class SpanLoader {
  constructor(timeline, index) {
    Object.assign(this, {timeline, index, whole: readTimeline(timeline), answers: [], text: '', asked: null, onChange: () => {}});
    this.tracks = this.whole.tracks.filter(track => track.columns.length).map(track => ({track, own: track.windows}));
  }
  has([from, to]) {
    return this.tracks.every(({track}) => windowAround(track, Math.max(from, this.whole.from), Math.min(to, this.whole.to)));
  }
  say(text) {
    this.text = text;
    this.onChange();
  }
  // VIEW is seen; IS FINE: bins would be wide.
  see(view, isFine) {
    if (this.asked && this.asked.from <= view[0] && this.asked.to >= view[1])
      return;
    this.cancel();
    if (!isFine)
      return this.say('Zooming in loads single spans.');
    if (this.has(view))
      return this.say('');
    const more = (view[1] - view[0]) / 2;
    const from = Math.max(this.whole.from, Math.floor(view[0] - more)), to = Math.min(this.whole.to, Math.ceil(view[1] + more));
    this.asked = {from, to, stop: new AbortController()};
    this.say('Single spans are being loaded.');
    this.load(this.asked, view);
  }
  cancel() {
    if (this.asked)
      this.asked.stop.abort();
    this.asked = null;
  }
  async load(asked, view) {
    let text = '';
    try {
      const answer = await fetch('window?page=' + server.page + '&run=' + this.index + '&from=' + asked.from + '&to=' + asked.to, {signal: asked.stop.signal});
      if (answer.ok)
        text = this.take(await answer.json(), view);
      else
        text = answer.status === 410 ? 'The server has newer data: reload the page to load single spans.' : 'The server can’t send single spans (' + answer.status + ').';
    } catch (error) {
      text = 'The server doesn’t answer: does `loopscope view` still run?';
    }
    if (this.asked !== asked)
      return; // something else is seen by now
    this.asked = null;
    this.say(text);
  }
  // Takes an answer in, and drops old ones; returns what to say.
  take(answer, view) {
    const windowOf = new Map(answer.tracks.map(each => {
      const track = this.whole.tracks[each.track];
      return [track, readWindows(each, pathsOfAnswer(this.timeline, track, each.paths))[0]];
    }));
    this.answers = [...this.answers, windowOf].slice(-answersKept);
    for (const {track, own} of this.tracks)
      track.windows = this.answers.filter(each => each.has(track)).reduce((windows, each) => withWindow(windows, each.get(track)), own);
    return answer.cut && answer.to < view[1] ? 'These are too many single spans to load at once: zoom in for all of them.' : 'Single spans were loaded.';
  }
}

// The loader of the timeline of run number INDEX; null where there is nothing to
// load.
function loaderOf(timeline, index) {
  if (!server.page || !server.runs.split(' ').includes(String(index)))
    return null;
  timeline.loader = timeline.loader || new SpanLoader(timeline, index);
  return timeline.loader;
}
