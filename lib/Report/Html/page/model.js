// A run's call paths as objects, from the arrays that the data has them in.

// {id, name, parent, kind, place, path, line, cells, histogram, children, depth};
// time, self, gpu and calls are the cells of these columns.
function readTree(tree) {
  if (tree.read)
    return tree.read;
  const at = Object.fromEntries(tree.columns.map((column, index) => [column.key, index]));
  const cell = (cells, key) => key in at ? plainValue(cells[at[key]]) || 0 : 0;
  const nodes = tree.nodes.map(([name, parent, kind, file, line, cells, histogram], id) => ({
    id, name, parent, kind, line, cells, histogram, children: [], depth: 0,
    path: file === null ? '' : tree.files[file],
    place: file === null ? '' : tree.files[file].replace(/^.*\//, '') + ':' + line,
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
  tree.read = {nodes, columns: tree.columns, at, roots: nodes.filter(node => !node.parent),
               hasGpu: 'gpu_s' in at};
  return tree.read;
}

function runNow() {
  return data.runs[state.run];
}

function treeNow() {
  return readTree(runNow().tree);
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
