// One colour for a name, in all pictures and all runs: its hash picks one of a
// palette on which white text has a contrast of 4.5 to 1. Greys are what a run
// is made of, as opposed to what it does; red is for warnings alone.

const palette = ['#bb550e', '#057ab3', '#248530', '#8d5dbe', '#897200', '#14817c', '#b44f8d',
                 '#4271cc', '#a16606', '#10835f', '#a455a9', '#687c02', '#097e93', '#7066ca'];
const structureColour = '#5f6b7a';
const restColour = '#6b737d';
const waitColour = '#7b6a4b';
const onColour = '#ffffff'; // text on all of these

const kindsOfWork = new Set(['phase', 'function', 'wait', 'collective', 'draw']);
const structureNames = new Set(['main thread', 'other threads', 'fit', 'validate', 'test', 'predict',
                                'epoch', 'train', 'valid', 'step', 'batch']);

// As FNV-1a, finished so that names that differ in their last letter are far apart.
function hashOf(text) {
  let hash = 547; // with which the usual names of phases differ
  for (let i = 0; i < text.length; ++i)
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ hash >>> 12) >>> 0;
}

// The names that only wait, of all runs of the page and as a role of steps.
const waitNames = new Set(['Wait']);

// Time of no phase, of the run and of a loop.
const aroundLoops = new Set(['(outside the loops)', '(between steps)']);

function colourOf(name) {
  if (waitNames.has(name))
    return waitColour;
  if (structureNames.has(name) || aroundLoops.has(name))
    return structureColour;
  if (/^\([^()]*\)$/.test(name) || name === 'Other')
    return restColour; // names in parentheses are ours
  return palette[hashOf(name) % palette.length];
}

function cssColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const box of document.querySelectorAll('.chart'))
    box.redraw();
}
