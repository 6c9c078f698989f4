import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { settled } from './page'

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Serious faults of accessibility of what is on the screen, in light and in dark, in words. */
export async function faultsInThemes(page: Page): Promise<readonly string[]> {
  const file = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
  await page.evaluate(await readFile(file, 'utf8'))
  const faults: string[] = []
  for (const theme of ['light', 'dark']) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name
    }, theme)
    await settled(page)
    const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] }
    for (const { id, impact, nodes } of violations)
      if (impact === 'serious' || impact === 'critical')
        for (const { html, failureSummary } of nodes)
          faults.push(`${theme}: ${id}: ${html.slice(0, 200)} ${failureSummary}`)
  }
  return faults
}
