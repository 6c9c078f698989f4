import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { SourceId } from '../../src/shared/model/conversation/sources'
import { tempFolders } from '../support/temp-folder'
import { activeEntries, launchSkein } from './support/app'
import { copyRoot } from './support/copied-root'
import { beginStream, endpoint, endStream, sendText } from './support/endpoint'
import { goToHits, homeWith, partsOf, say } from './support/scenes'

const folder = tempFolders()

/** A program's fixture, words of one tool's output in it, and the context that adopting their conversation makes. */
interface Case {
  readonly program: string
  readonly source: string
  readonly output: string
  readonly title: string
  readonly context: string
  /** Words that the program has compacted the output into: the model is sent these. The output itself unless given. */
  readonly compacted?: string
}

const cases: readonly Case[] = [
  {
    program: 'Claude Code',
    source: 'claude-code',
    output: 'south: 41',
    title: 'Water for the beds',
    context: 'water-for-the-beds',
    compacted: 'The pots are dry.',
  },
  {
    program: 'Codex CLI',
    source: 'codex',
    output: 'a picture of the pear',
    title: 'Pruning',
    context: 'pruning',
    compacted: 'Pear and quince are to be pruned in late winter.',
  },
  {
    program: 'ChatGPT',
    source: 'chatgpt',
    output: 'frond is 31 cm',
    title: 'Fern',
    context: 'fern',
  },
  {
    program: 'Claude.ai',
    source: 'claude-ai',
    output: 'on Saturday',
    title: 'draw up a list for the market',
    context: 'draw-up-a-list-for-the-market',
  },
  {
    program: 'Cursor',
    source: 'cursor',
    output: 'thirty-two metres',
    title: 'Vine trellis',
    context: 'vine-trellis',
  },
  {
    program: 'OpenCode',
    source: 'opencode',
    output: 'no tool pruen',
    title: 'Prune the pear',
    context: 'prune-the-pear',
  },
  {
    program: 'Copilot CLI',
    source: 'copilot',
    output: 'no such command',
    title: 'Espalier, winter cut',
    context: 'espalier-winter-cut',
    compacted: '88 spurs are counted.',
  },
  {
    program: 'chats of VS Code',
    source: 'copilot',
    output: 'pear: March',
    title: 'Pears',
    context: 'pears',
  },
  {
    program: 'pi',
    source: 'pi',
    output: 'a hand thick',
    title: 'Old pear',
    context: 'old-pear',
  },
  {
    program: 'Gemini CLI',
    source: 'gemini',
    output: 'white, scented, June',
    title: 'Roses by name',
    context: 'roses-by-name',
  },
  {
    program: 'Cline',
    source: 'cline',
    output: 'crack below the third hoop',
    title: 'mend the rain barrel',
    context: 'mend-the-rain-barrel',
  },
]

/** Searches for the words, and opens their only hit by the keyboard. */
async function openHit(page: Page, { source, output, title }: Case): Promise<void> {
  await page.keyboard.press('Control+Shift+F')
  await page
    .getByRole('combobox', { name: 'Search conversations' })
    .fill(`source:${source} "${output}"`)
  const hits = page.getByRole('listbox', { name: 'Hits' }).getByRole('option')
  await hits.filter({ hasText: output }).waitFor()
  await expect.poll(() => hits.count()).toBe(1)
  await goToHits(page)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.title()).toContain(title)
  // The turn with the output has the focus, and the output is in view.
  const found = partsOf(page).transcript.getByText(output).first()
  await expect
    .poll(() =>
      found.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect()
        return top > 0 && bottom < window.innerHeight
      }),
    )
    .toBe(true)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('article')?.textContent ?? ''))
    .toContain(output)
}

it.each(
  [cases.slice(0, 4), cases.slice(4, 8), cases.slice(8)].map(
    (some) => [some.map(({ program }) => program).join(', '), some] as const,
  ),
)(
  'a conversation of each of %s is found by what its tool said, opened there, adopted and answered',
  async (_, some) => {
    const asked: string[] = []
    const baseUrl = await endpoint((response, { messages }) => {
      asked.push(JSON.stringify(messages))
      beginStream(response)
      sendText(response, `Answer ${asked.length}`)
      endStream(response)
    })
    const all = folder()
    // With every other system beside them.
    const sources = SourceId.options.filter((source) => source !== 'chibi')
    const roots = sources.map((source) =>
      copyRoot(source, `readers/${source}/input`, path.join(all, source)),
    )
    const home = homeWith({ baseUrl })
    const { page, problems } = await launchSkein({ home, args: roots.flatMap(({ args }) => args) })
    const { message, transcript } = partsOf(page)
    // All are listed.
    await page.getByPlaceholder(/^Filter \d+ conversations$/).waitFor()

    for (const [n, one] of some.entries()) {
      const { program, source, output, context, compacted = output } = one
      try {
        await openHit(page, one)
        await page.getByRole('button', { name: 'Continue here' }).click()
        await message.waitFor()
        await say(page, `And then, ${program}?`)
        await transcript.getByText(`Answer ${n + 1}`, { exact: true }).waitFor()
      } catch (error) {
        throw new Error(`${program}: ${output}`, { cause: error })
      }
      expect(asked, program).toHaveLength(n + 1)
      expect(asked[n], program).toContain(compacted)
      expect(asked[n], program).toContain(`And then, ${program}?`)
      const entries = activeEntries(home, context)
      expect(entries[0]?.metadata, program).toMatchObject({ origin: { source } })
      expect(entries.at(-1), program).toMatchObject({ content: `Answer ${n + 1}` })
    }
    for (const root of roots) root.expectUntouched()
    // Pictures of the fixtures are a few bytes, and none: the page is told so.
    expect(problems.filter((one) => !one.includes('404 (Not Found)'))).toEqual([])
  },
)
