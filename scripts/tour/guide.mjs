import fs from 'node:fs'
import path from 'node:path'

/** @typedef {import('playwright-core').Page} Page */

/**
 * Leads through the app: does one thing after the other, says what, and takes a picture of each in light and in dark.
 * @param {object} options
 * @param {string} options.folder where the pictures go
 * @param {(line: string) => void} options.tell
 */
export function createGuide({ folder, tell }) {
  let count = 0

  /**
   * @param {Page} page
   * @param {string} name of the picture's file
   * @param {string} words what is seen
   */
  async function show(page, name, words) {
    count += 1
    const number = String(count).padStart(2, '0')
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: path.join(folder, `${number}-${name}-${colorScheme}.png`) })
    }
    tell(`  ${number}  ${words}`)
  }

  return { show }
}

/**
 * Empties the folder of the tour before.
 * @param {string} folder
 */
export function emptyFolder(folder) {
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
}
