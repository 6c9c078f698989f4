import { describe, expect, it } from 'vitest'
import type { Harness } from '../harness/serve'
import { openedAtEnd, withPage } from './page'

/** What the model is not sent any more: marked, for the eye and for the ear. */
export function windowBorder(harness: () => Harness): void {
  describe('what is no longer sent to the model', () => {
    it('is marked above its border, and what a later compaction leaves behind as it comes', () =>
      withPage(harness(), { scenario: 'main' }, async (page) => {
        await openedAtEnd(page)
        await page.getByRole('feed').evaluate((element) => element.scrollTo(0, 0))
        const first = page.getByRole('article', { name: /^You,/ }).first()
        await expect
          .poll(() => first.getAttribute('aria-label'))
          .toMatch(/, no longer sent to the model$/)
        await first.getByRole('img', { name: 'no longer sent to the model' }).waitFor()
        const below = page.getByRole('article').filter({ hasText: 'The 02:30 import skipped' })
        await expect
          .poll(() => below.getAttribute('aria-label'))
          .not.toContain('no longer sent to the model')

        await page.evaluate(() =>
          window.home.append('import-gap', [
            {
              from: 'system',
              entry_type: 'compaction',
              content: 'Context compacted',
              metadata: { summary: 'All of it.', compaction: { mode: 'full', archived: 12 } },
            },
          ]),
        )
        await expect
          .poll(() => below.getAttribute('aria-label'))
          .toMatch(/, no longer sent to the model$/)
        await page.getByRole('button', { name: /^New since/ }).waitFor()
        await page.getByRole('button', { name: 'To the end' }).click()
        await page.getByText(/Summarized .*: 12 earlier messages no longer sent/).waitFor()
      }))
  })
}
