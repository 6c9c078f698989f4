import fc from 'fast-check'
import MarkdownIt, { type Token } from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { markdownExporter } from '../../../../src/main/exporters/documents/markdown'
import { documentText } from '../../../../src/main/exporters/parts/document-text'
import { exportedTurn } from '../../../../src/main/exporters/parts/exported-turn'
import { toExportable } from '../../../../src/main/exporters/parts/exporter'
import { entryAt, hostileConversation, ledger, readShape, written } from '../../../support/exported'

const trusting = new MarkdownIt({ html: true })
const flat = (tokens: readonly Token[]): readonly Token[] =>
  tokens.flatMap((token) => [token, ...flat(token.children ?? [])])
const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

/** What a reader of the rendered document sees, and what its links and lists are made of, in the order of the text. */
function heard(tokens: readonly Token[]): string {
  const open: Token[] = []
  return flat(tokens)
    .map((token) => {
      if (token.type === 'link_open') open.push(token)
      const link = token.type === 'link_close' ? open.pop() : undefined
      const where =
        link?.info === 'auto' ? '' : `${link?.attrGet('href') ?? ''}${link?.attrGet('title') ?? ''}`
      const info = /^(fence|list_item_open)$/.test(token.type) ? token.info : ''
      return token.type === 'inline' ? '' : `${info}${token.content}${decodeURI(where)}`
    })
    .join('')
}

describe('Markdown', () => {
  it('tells a conversation as people read it', async () => {
    const conversation = readShape(
      [
        entryAt(1, {
          entry_type: 'context_created',
          from: 'system',
          role: undefined,
          content: 'Context created',
        }),
        entryAt(2, { content: 'Which file is <large>?' }),
        entryAt(3, {
          entry_type: 'tool_call',
          role: undefined,
          to: 'run_shell',
          content: '{"command":"du"}',
        }),
        entryAt(4, {
          entry_type: 'tool_result',
          role: undefined,
          from: 'run_shell',
          content: '12M b\n```',
        }),
        entryAt(5, {
          role: 'agent',
          to: 'user',
          content: 'It is **b**:\n\n```sh\nls -l b',
          metadata: { model: 'gpt_x', reasoning: 'Look\nfirst.', interrupted: 'stopped' },
        }),
      ],
      {
        title: 'Large *files*',
        models: ['gpt_x'],
        project: '~/work',
        parent: { key: 'old', entries: 2 },
      },
    )
    const files = [
      ledger({
        damaged: [
          {
            line: 9,
            offset: 900,
            length: 4,
            reason: 'not JSON',
            bytes: Buffer.from('{"a"').toString('base64'),
          },
        ],
      }),
    ]
    expect(
      await written(markdownExporter, toExportable(conversation, files)),
    ).toBe(`# Large \\*files\\*

chibi, garden · ~/work · 2026-05-28 20:26 UTC to 2026-05-28 20:30 UTC · gpt_x · goes on from old, which has its first 2 entries

---

*Context created, 2026-05-28 20:26 UTC*

## You, 2026-05-28 20:26 UTC

Which file is &lt;large>?

### Call of run_shell, 2026-05-28 20:26 UTC

\`\`\`json
{"command":"du"}
\`\`\`

### Result of run_shell, 2026-05-28 20:26 UTC

\`\`\`\`
12M b
\`\`\`
\`\`\`\`

## gpt_x, 2026-05-28 20:26 UTC

*Reasoning*

> Look
> first.

It is **b**:

\`\`\`sh
ls -l b
\`\`\`

*Stopped by a person. What came is kept.*

### Damaged line

*transcript/active.jsonl, line 9: not JSON. 4 bytes at offset 900.*

\`\`\`
{"a"
\`\`\`
`)
  })

  it('marks where another branch begins', async () => {
    const main = toExportable(readShape([entryAt(1)]), [])
    const fork = toExportable(
      readShape([entryAt(1, { inherited: true }), entryAt(2)], { title: 'Fork' }),
      [],
    )
    const text = await written(markdownExporter, main, { branches: 'all', family: [fork] })
    expect(text).toContain('\n---\n\n# Fork\n\nchibi, garden')
    expect(text.match(/text 1/g)).toHaveLength(1)
  })

  it('holds no HTML, no image and no second of anybody: text of every entry, and as many turns as there are', async () => {
    await fc.assert(
      fc.asyncProperty(hostileConversation, async (conversation) => {
        const text = await written(markdownExporter, toExportable(conversation, []))
        const tokens = trusting.parse(text, {})
        expect(flat(tokens).filter(({ type }) => /^html|^image/.test(type))).toEqual([])
        const seen = letters(heard(tokens))
        let at = 0
        for (const entry of conversation.entries) {
          const turn = exportedTurn({ type: 'entry', entry })
          const shown = documentText(turn.text)
          if (!['user', 'agent', 'seam', 'reasoning'].includes(turn.type) && shown.trim() !== '') {
            const code = shown.endsWith('\n') ? shown : `${shown}\n`
            expect(tokens.some(({ type, content }) => type === 'fence' && content === code)).toBe(
              true,
            )
          }
          const wanted = letters(shown)
          at = seen.indexOf(wanted, at)
          expect(at, wanted).toBeGreaterThanOrEqual(0)
          at += wanted.length
        }
      }),
      { numRuns: 300 },
    )
  })
})
