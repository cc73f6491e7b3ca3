// A run's call paths as objects, from the arrays that the data has them in.

// {id, name, parent, kind, place, path, line, cells, histogram, children, depth,
// family}; time, self, gpu and calls are the cells of these columns, and family is
// what there is of a phase's keys, else undefined.
function readTree(run) {
  const {tree} = run;
  if (tree.read)
    return tree.read;
  const at = Object.fromEntries(tree.columns.map((column, index) => [column.key, index]));
  const cell = (cells, key) => key in at ? plainValue(cells[at[key]]) || 0 : 0;
  const nodes = tree.nodes.map(([name, parent, kind, file, line, cells, histogram], id) => ({
    id, name, parent, kind, line, cells, histogram, children: [], depth: 0,
    path: file === null ? '' : tree.files[file],
    place: file === null ? '' : tree.files[file].replace(/^.*\//, '') + (line ? ':' + line : ''),
    time: cell(cells, 'total'), self: cell(cells, 'self'), gpu: cell(cells, 'gpu_s'),
    calls: cell(cells, 'calls')}));
  for (const node of nodes) {
    node.cells[at.place] = node.place;
    if (node.parent === null)
      continue;
    node.parent = nodes[node.parent];
    node.parent.children.push(node);
    node.depth = node.parent.depth + 1;
  }
  for (const family of tree.families)
    nodes[family.node].family = family;
  addFrames(nodes, run.frames);
  tree.read = {nodes, columns: tree.columns, at, roots: nodes.filter(node => !node.parent),
               hasGpu: 'gpu_s' in at, hasFrames: run.frames.length > 0,
               isSampled: isSampled(run)};
  return tree.read;
}

// Whether no call path of RUN was measured, only functions sampled.
function isSampled(run) {
  return run.tree.nodes.length === 1 && run.frames.length > 0;
}

// Functions below their call paths, by samples: {name, owner, parent, children,
// place, line, time}; line is as the state's, or null; each node gets what was sampled in it and below, ns.
function addFrames(nodes, list) {
  for (const node of nodes) {
    node.frames = [];
    node.sampled = 0;
  }
  const frames = list.map(([name, owner, , place, ns, file, line]) => ({
    name, owner: nodes[owner], parent: nodes[owner], children: [], place, time: ns, isFrame: true,
    line: file === null ? null : [file, line]}));
  list.forEach(([, owner, above], index) => {
    const frame = frames[index];
    if (above === null) {
      nodes[owner].frames.push(frame);
      nodes[owner].sampled += frame.time;
    } else {
      frame.parent = frames[above];
      frames[above].children.push(frame);
    }
  });
  for (let i = nodes.length; i-- > 0;)
    if (nodes[i].parent)
      nodes[i].parent.sampled += nodes[i].sampled;
}

function runNow() {
  return data.runs[state.run];
}

function treeNow() {
  return readTree(runNow());
}

// The chosen call path; without one, the longest thread's.
function nodeNow() {
  const {nodes} = treeNow();
  return state.node === null ? nodes[0] : nodes[state.node];
}

// NODE and all above it, the root first.
function pathTo(node) {
  const path = [];
  for (let at = node; at; at = at.parent)
    path.unshift(at);
  return path;
}

function isFound(name) {
  return state.search !== '' && name.toLowerCase().includes(state.search.toLowerCase());
}
