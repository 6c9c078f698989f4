import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { settled } from './page'

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Themes with their contrast, as the document names them. */
const usualThemes = ['light', 'dark'] as const
/** With high contrast too. */
export const allThemes = ['light', 'dark', 'light more', 'dark more'] as const

const everyRule = { rules: { 'label-content-name-mismatch': { enabled: true } } }
/** Those of axe's category of colours that it runs by itself: all that a theme can change. */
const rulesOfColours = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}

/**
 * Serious faults of accessibility of what is on the screen, in light and in dark, in words; among them names that lack
 * the text that is seen.
 */
export async function faultsInThemes(
  page: Page,
  themes: readonly string[] = usualThemes,
): Promise<readonly string[]> {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
  await page.evaluate(await readFile(file, 'utf8'))
  const faults: string[] = []
  for (const theme of themes) {
    await page.evaluate(([name, contrast]) => {
      document.documentElement.dataset.theme = name
      document.documentElement.dataset.contrast = contrast ?? 'normal'
    }, theme.split(' '))
    await settled(page)
    const { violations } = (await page.evaluate(
      `axe.run(${JSON.stringify(theme === themes[0] ? everyRule : rulesOfColours)})`,
    )) as { violations: Violation[] }
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        for (const { html, failureSummary } of nodes)
          faults.push(`${theme}: ${id}: ${html.slice(0, 200)} ${failureSummary}`)
  }
  return faults
}
