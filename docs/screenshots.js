// The pictures of docs/screenshots.sh: node screenshots.js PAGES IMAGES
'use strict';

const {withReport, chart} = require('browser');
const [pages, images] = process.argv.slice(2);

const wide = {width: 1200, height: 900};
// As CSS pixels, what A4 has between the margins of page.css.
const paper = {width: 703, height: 1032};
const kinds = {
  light: {viewport: wide, colorScheme: 'light'},
  dark: {viewport: wide, colorScheme: 'dark'},
  phone: {viewport: {width: 390, height: 844}, colorScheme: 'light', hasTouch: true, isMobile: true},
  print: {viewport: paper, colorScheme: 'light'},
};

// One picture of the first screen, its charts drawn to the end.
async function shoot(run, kind) {
  await withReport(`${pages}/${run}.html`, kinds[kind], async page => {
    if (kind === 'print') {
      await page.emulateMedia({media: 'print'});
      await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    }
    await chart(page, run === 'diff' ? '#diff-icicle' : '#steps');
    await page.evaluate(() => scrollTo(0, 0));
    // Large charts draw in several frames.
    await page.waitForTimeout(1500);
    await page.screenshot({path: `${images}/${run}-${kind}.png`});
  });
}

(async () => {
  for (const run of ['cpu', 'gpu', 'ranks', 'diff'])
    for (const kind of Object.keys(kinds))
      await shoot(run, kind);
})();
