import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { quoteConversation } from '../../../../src/main/home/mentions/quote'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../src/main/library/transcripts'
import { openStore } from '../../../../src/main/store/open-store'
import { quoteLimit } from '../../../../src/shared/model/attachments/mentions'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import type { EntryDraft } from '../../../../src/shared/model/conversation/entry'
import { message } from '../../../support/entries'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const key = LibraryKey.parse('garden')
const said = (content: string) => message(content, { timestamp: 1_800_000_000 })
const answer = (content: string, fields: Partial<EntryDraft> = {}) =>
  message(content, {
    role: 'agent',
    from: 'garden',
    to: 'user',
    timestamp: 1_800_000_060,
    ...fields,
  })

async function garden(entries: readonly EntryDraft[]) {
  const store = openStore({ home: path.join(temp(), 'chibi'), disk: nodeDisk })
  const writer = await store.openWriter('garden', { create: true })
  for (const entry of entries) await writer.append(entry)
  await writer.close()
  const transcripts = openTranscripts({
    disk: nodeDisk,
    store,
    histories: openHistories(nodeDisk, []),
  })
  return (part: 'last' | 'prompts' | 'all') =>
    quoteConversation(transcripts, { key, title: 'Two beds', part })
}

const talk = [
  said('Tulips or crocuses?'),
  answer('Let me see.'),
  answer('Crocuses.', { metadata: { model: 'm-1' } }),
  said('Why?'),
  answer('They come first.', { metadata: { model: 'm-1' } }),
]

it('quotes the last answer with where it comes from', async () => {
  const quote = await garden(talk)
  expect(await quote('last')).toEqual({
    name: 'Two beds.md',
    messages: 1,
    isCut: false,
    text: `Quoted from the conversation “Two beds”: its last answer.
Source: chibi, chibi:garden
Link: skein://conversation/garden

## m-1, 2027-01-15T08:01:00.000Z

They come first.
`,
  })
})

it('quotes prompts with the last answer to each, or all that was said', async () => {
  const quote = await garden(talk)
  const heads = (text: string) =>
    text
      .split('\n\n')
      .slice(1)
      .filter((part) => !part.startsWith('## '))
  expect(heads((await quote('prompts')).text)).toEqual([
    'Tulips or crocuses?',
    'Crocuses.',
    'Why?',
    'They come first.\n',
  ])
  expect(heads((await quote('all')).text)).toEqual([
    'Tulips or crocuses?',
    'Let me see.',
    'Crocuses.',
    'Why?',
    'They come first.\n',
  ])
})

it('takes the newest of a long conversation, of one long message its end, and says that there is more', async () => {
  const long = await garden(
    Array.from({ length: 30 }, (_, n) => said(`${n} ${'x'.repeat(quoteLimit / 10)}`)),
  )
  const { text, messages, isCut } = await long('all')
  expect([messages, isCut]).toEqual([10, true])
  expect(text).toContain('Earlier messages are left out.')
  expect(text).toContain('\n29 x')
  const one = await garden([answer(`begin${'x'.repeat(2 * quoteLimit)}end`)])
  const cut = await one('last')
  expect([cut.isCut, cut.text.includes('begin'), cut.text.endsWith('end\n')]).toEqual([
    true,
    false,
    true,
  ])
})

it('is refused where nothing was said', async () => {
  const quote = await garden([said('Hello?')])
  await expect(quote('last')).rejects.toMatchObject({ code: 'bad-argument' })
})
