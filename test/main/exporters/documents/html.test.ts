import { createHash } from 'node:crypto'
import { access, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { htmlExporter } from '../../../../src/main/exporters/documents/html'
import { htmlProse } from '../../../../src/main/exporters/documents/html-prose'
import { documentText } from '../../../../src/main/exporters/parts/document-text'
import { type ExportedTurn, exportedTurn } from '../../../../src/main/exporters/parts/exported-turn'
import { toExportable } from '../../../../src/main/exporters/parts/exporter'
import { entryAt, hostileConversation, ledger, readShape, written } from '../../../support/exported'
import { tempFolders } from '../../../support/temp-folder'

const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

const tempFolder = tempFolders()

describe('an answer as HTML', () => {
  it('has the elements that Markdown has, and shows where links lead', () => {
    expect(
      htmlProse('# Head\n\n**b** [there](https://example.org "t") `<i>`\n\n| a |\n|:-:|\n| b |'),
    ).toBe(
      '<div class="prose" dir="auto"><h3>Head</h3>\n' +
        '<p><strong>b</strong> <a href="https://example.org" rel="noopener noreferrer nofollow">there</a> ' +
        '<span class="address">(https://example.org “t”)</span> <code>&lt;i&gt;</code></p>\n' +
        '<div class="table" tabindex="0" role="group" aria-label="Table"><table>' +
        '<thead>\n<tr>\n<th class="center">a</th>\n</tr>\n</thead>\n' +
        '<tbody>\n<tr>\n<td class="center">b</td>\n</tr>\n</tbody>\n</table></div>\n</div>',
    )
  })

  it('has wide tables, whose cells flow on paper, from 21 columns on', () => {
    const classOf = (columns: number) => {
      const row = (cell: string) => `|${` ${cell} |`.repeat(columns)}`
      return /<div class="(table[^"]*)"/.exec(
        htmlProse(`${row('a')}\n${row('-')}\n${row('b')}`),
      )?.[1]
    }
    expect([20, 21].map(classOf)).toEqual(['table', 'table wide'])
  })

  it('makes no link, image or element of what an author only wrote', () => {
    expect(htmlProse('[press](javascript:alert(1)) ![p](https://example.org/p.png) <b>')).toBe(
      '<div class="prose" dir="auto"><p><span class="dead">press</span> ' +
        '<span class="address">(javascript:alert(1))</span> ' +
        '<a href="https://example.org/p.png" rel="noopener noreferrer nofollow"><span class="image">p</span></a> ' +
        '<span class="address">(https://example.org/p.png)</span> &lt;b&gt;</p>\n</div>',
    )
    expect(htmlProse('```<b> "x"\n<i>\n```')).toContain(
      '<figcaption>&lt;b&gt; &quot;x&quot;</figcaption><pre><code>&lt;i&gt;\n</code></pre>',
    )
  })

  it('stands as it is where Markdown would leave words out', () => {
    expect(htmlProse('| a |\n|---|\n| b | lost |')).toBe(
      '<div class="words" dir="auto">| a |\n|---|\n| b | lost |</div>',
    )
  })

  it('still shows a link definition and an entity as they were written', () => {
    expect(htmlProse('[a]: https://example.org &lt;b&gt;')).toContain(
      '[a]: <a href="https://example.org"',
    )
    expect(htmlProse('&lt;b&gt;')).toContain('<p>&amp;lt;b&amp;gt;</p>')
  })
})

describe('an HTML page', () => {
  it('says in its policy that nothing may run or load, and knows its own style by its hash', async () => {
    const page = await written(htmlExporter, toExportable(readShape([]), []))
    const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(page).toContain(
      `content="default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    )
    expect(page).not.toMatch(/ style=|<script|<link|<img| on[a-z]+=/)
  })

  it('folds what is long, and leaves open what is short', async () => {
    const call = { entry_type: 'tool_result', role: undefined, from: 'shell' }
    const page = await written(
      htmlExporter,
      toExportable(
        readShape([
          entryAt(1, { ...call, content: 'short' }),
          entryAt(2, { ...call, content: 'line\n'.repeat(50) }),
        ]),
        [],
      ),
    )
    expect(page.match(/<details[^>]*><summary>.*?<\/summary>/g)).toEqual([
      '<details open><summary><b>1 line</b></summary>',
      `<details><summary><b>50 lines</b> <span class="meta">${'line '.repeat(15)}line…</span></summary>`,
    ])
  })
})

describe('an exported page in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: await findChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    })
  })
  afterAll(async () => {
    await browser?.close()
  })

  async function opened(text: string): Promise<{ page: Page; asked: string[]; refused: string[] }> {
    const file = path.join(tempFolder(), 'export.html')
    await writeFile(file, text)
    const page = await browser.newPage()
    const asked: string[] = []
    const refused: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => refused.push(message.text()))
    await page.goto(pathToFileURL(file).href)
    return { page, asked, refused }
  }

  it('holds the text of every entry as text, has no element of a conversation, and asks nobody for anything', async () => {
    // A fixed seed: a page takes a while to open, so that many conversations stand on a few.
    const samples = fc.sample(hostileConversation, { seed: 42, numRuns: 60 })
    for (let from = 0; from < samples.length; from += 20) {
      const together = samples.slice(from, from + 20)
      const conversation = {
        ...readShape(together.flatMap(({ entries }) => entries)),
        title: together.map(({ title }) => title).join(),
        models: together.map(({ title }) => title),
        active: together.flatMap(({ active }) => active ?? []),
      }
      const { page, asked, refused } = await opened(
        await written(htmlExporter, toExportable(conversation, [])),
      )
      const found = await page.evaluate(inspect)
      const turns = conversation.entries.map((entry) => exportedTurn({ type: 'entry', entry }))
      turns.forEach((turn, i) => {
        const shown = documentText(turn.text)
        const own = found.entries[`entry-${i + 1}`] ?? ''
        if (isPlain(turn)) expect(own).toContain(shown.trim() === '' ? 'No text' : shown)
        // The numbers of lists are drawn by the browser; all other letters are text.
        else expect(letters(own.replaceAll('7', ''))).toContain(letters(shown.replaceAll('7', '')))
      })
      expect({ ...found, entries: Object.keys(found.entries).length }).toEqual({
        entries: conversation.entries.length,
        strange: [],
        pwned: 'undefined',
        title: found.title,
      })
      expect([asked.length, refused]).toEqual([1, []])
      await page.close()
    }
  })

  it('is a document with headings, landmarks and times, and looks dark where that is wanted', async () => {
    const conversation = readShape([
      entryAt(1, { content: 'question' }),
      entryAt(2, {
        role: 'agent',
        to: 'user',
        content: '# Answer',
        metadata: { model: 'gpt-x', reasoning: 'why' },
      }),
    ])
    const damaged = { line: 9, offset: 900, length: 2, reason: 'not JSON', bytes: 'e2E=' }
    const { page } = await opened(
      await written(htmlExporter, toExportable(conversation, [ledger({ damaged: [damaged] })])),
    )
    expect(await page.locator('h1, h2, h3').allTextContents()).toEqual([
      'Garden',
      'You',
      'gpt-x',
      'Answer',
      'Damaged line',
    ])
    expect(await page.locator('main time').first().getAttribute('datetime')).toBe(
      '2026-05-28T20:26:41.000Z',
    )
    expect(await page.locator('footer').textContent()).toBe(
      '2 entries, 1 damaged. Written by Skein.',
    )
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await background()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await background()).not.toBe(light)
    await page.close()
  })
})

function isPlain(turn: ExportedTurn): boolean {
  return !['agent', 'reasoning', 'seam'].includes(turn.type)
}

/** What is in the page: runs there. */
function inspect() {
  const expected = new Set(
    'A ARTICLE B BDI BLOCKQUOTE BODY BR CODE DD DETAILS DIV DL DT EM FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEAD HEADER HR HTML LI MAIN META OL P PRE S SECTION SPAN STRONG STYLE SUMMARY TABLE TBODY TD TH THEAD TIME TITLE TR UL'.split(
      ' ',
    ),
  )
  const attributes = new Set(
    'aria-label charset class content datetime dir href http-equiv id lang name open rel role start tabindex'.split(
      ' ',
    ),
  )
  const strange: string[] = []
  for (const element of document.querySelectorAll('*')) {
    if (!expected.has(element.tagName)) strange.push(element.tagName)
    for (const { name, value } of element.attributes)
      if (!attributes.has(name) || (name === 'href' && !/^(https?:|mailto:|#)/.test(value)))
        strange.push(`${element.tagName} ${name}=${value}`)
  }
  if (document.querySelectorAll('meta').length !== 4) strange.push('meta')
  if (document.querySelectorAll('style').length !== 1) strange.push('style')
  const entries: Record<string, string> = {}
  for (const element of document.querySelectorAll('[id^=entry-]'))
    entries[element.id] = element.textContent
  return {
    entries,
    strange,
    pwned: typeof (window as { pwned?: unknown }).pwned,
    title: document.title,
  }
}

async function findChromium(): Promise<string> {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter))
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      const candidate = path.join(folder, name)
      const isThere = await access(candidate).then(
        () => true,
        () => false,
      )
      if (isThere) return candidate
    }
  throw new Error('No Chromium was found in PATH; exported pages are tested in one.')
}
