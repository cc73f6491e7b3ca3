// The pictures of docs/screenshots.sh: node screenshots.js PAGES IMAGES
'use strict';

const {withReport, chart} = require('browser');
const [pages, images] = process.argv.slice(2);

// One picture of the first screen, its charts drawn to the end.
async function shoot(name, file, options, prepare) {
  await withReport(`${pages}/${file}`, options, async page => {
    await prepare(page);
    await page.evaluate(() => scrollTo(0, 0));
    // Large charts draw in several frames.
    await page.waitForTimeout(1500);
    await page.screenshot({path: `${images}/${name}.png`});
  });
}

(async () => {
  const wide = {width: 1200, height: 1150};
  const steps = page => chart(page, '#steps');
  await shoot('trace-light', 'trace.html', {viewport: wide, colorScheme: 'light'}, steps);
  await shoot('profile-dark', 'profile.html', {viewport: wide, colorScheme: 'dark'}, steps);
  await shoot('trace-narrow', 'trace.html', {viewport: {width: 390, height: 1300}, colorScheme: 'light'}, steps);
})();
