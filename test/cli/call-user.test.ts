import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { duplicatesCommand } from '../../src/cli/commands/duplicates'
import { searchCommand } from '../../src/cli/commands/search'
import { showCommand } from '../../src/cli/commands/show'
import { statsCommand } from '../../src/cli/commands/stats'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { toExportable } from '../../src/main/exporters/parts/exporter'
import { readExcerpt } from '../../src/main/llm/titles/excerpt'
import { chibiReader } from '../../src/main/readers/chibi'
import { readers } from '../../src/main/readers/index'
import { readRoot } from '../../src/main/readers/read-root'
import { openStore } from '../../src/main/store/open-store'
import { libraryKeyOf } from '../../src/shared/model/conversation/conversation'
import { shownText, speakerOf } from '../../src/shared/model/conversation/entry'
import { requireWhole } from '../../src/shared/model/conversation/reading'
import { ExportFormat } from '../../src/shared/model/export'
import { answerFollower } from '../../src/shared/model/run/usage'
import { lossesIn, readFiles, textIn } from '../main/exporters/round'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

/** chibi 0.9 ends this context's window with `call_user({"message": ...})`. */
const words = 'Found it: see notes/moon.txt'
const folder = path.join(fixtures, 'chibi/home-v09')
const home = ['--home', folder]
const signal = new AbortController().signal
const temp = tempFolders()

async function conversation(from = folder) {
  const { conversations } = await readRoot(chibiReader, from, nodeDisk, signal)
  const found = conversations.find(({ key }) => key === 'default')
  if (found === undefined) throw new Error('no context')
  return found
}

function homeCopy(): string {
  const copy = path.join(temp(), 'home')
  fs.cpSync(folder, copy, { recursive: true })
  return copy
}

describe('what a model says by call_user', () => {
  it('is found by role:agent, as words and not as arguments', async () => {
    const { out } = await run(searchCommand, ['role:agent "see notes/moon.txt"', ...home, '--json'])
    const [hit] = JSON.parse(out).hits
    expect([hit.role, hit.field, hit.snippet]).toEqual(['agent', 'content', words])
    const arguments_ = await run(searchCommand, [
      'in:arguments "see notes/moon.txt"',
      ...home,
      '--json',
    ])
    expect(JSON.parse(arguments_.out).hits).toEqual([])
    const tool = await run(searchCommand, ['tool:call_user moon', ...home, '--json'])
    expect(JSON.parse(tool.out).hits).toHaveLength(1)
  })

  it('is shown by skein show under the agent, alone too where --role asks for it', async () => {
    const text = (await run(showCommand, ['default', ...home, '--role', 'agent'])).out
    expect(text).toMatch(new RegExp(`\\[AGENT\\] default {2}[^\n]*\n${words}\n`))
    const all = (await run(showCommand, ['default', ...home, '--tools', 'none'])).out
    expect(all).toContain(`\n${words}\n`)
  })

  it('counts for the agent in skein stats', async () => {
    const { entries } = JSON.parse((await run(statsCommand, [...home, '--json', 'default'])).out)
    const { entries: all } = await conversation()
    const said = all.filter((entry) => entry.entry_type === 'message' && entry.to === 'user')
    expect(entries.byRole.agent).toBe(said.length + 1)
  })

  it('makes two conversations differ that are equal before', async () => {
    const copy = homeCopy()
    for (const [name, last] of Object.entries({ one: 'Yes.', two: 'No.' })) {
      const lines = [
        { from: 'mira', to: name, content: 'Is it so?', entry_type: 'message' },
        {
          from: name,
          to: 'call_user',
          content: JSON.stringify({ message: last }),
          entry_type: 'flow_control_call',
        },
      ].map((line, at) => JSON.stringify({ id: `e${at}`, timestamp: 1770000000 + at, ...line }))
      const transcript = path.join(copy, 'contexts', name, 'transcript')
      fs.mkdirSync(transcript, { recursive: true })
      fs.writeFileSync(path.join(transcript, 'active.jsonl'), `${lines.join('\n')}\n`)
    }
    const { out } = await run(duplicatesCommand, ['--home', copy, '--json'])
    expect(JSON.parse(out).equal).toEqual([])
  })

  it('is given to the model that names a conversation', async () => {
    const { entries } = await conversation()
    const rows = entries.map((entry) => ({ type: 'entry' as const, entry }))
    const source = {
      page: async () => ({ rows, atEnd: true }),
      whole: async () => {
        throw new Error('not a branch')
      },
    }
    const excerpt = await readExcerpt(source, libraryKeyOf('chibi', 'default'), undefined, signal)
    expect([...excerpt.beginning, ...excerpt.end]).toContainEqual({ speaker: 'agent', text: words })
  })

  it('stands in transcript.md after a clear, under the assistant', async () => {
    const copy = homeCopy()
    const store = openStore({ home: copy, disk: nodeDisk })
    await store.contexts.clear('default', { withPage: true })
    const page = fs.readFileSync(path.join(copy, 'contexts/default/transcript.md'), 'utf8')
    expect(page).toContain(`[ASSISTANT]: ${words}\n\n`)
  })

  it('is one answer, and a part of one that Skein wrote', () => {
    const place = { file: 'f', offset: 0, length: 1 }
    const entry = (id: string, fields: object) => ({
      ...place,
      id,
      timestamp: 1,
      from: 'garden',
      to: 'call_user',
      content: '{"message":"Done."}',
      entry_type: 'flow_control_call',
      ...fields,
    })
    const asked = entry('a', { from: 'mira', to: 'garden', content: 'Go', entry_type: 'message' })
    const said = { to: 'user', content: 'Wait.', entry_type: 'message' }
    const answersOf = (entries: readonly object[]) => {
      const follow = answerFollower()
      return entries.filter((one) => follow(one as Parameters<typeof follow>[0]) !== undefined)
        .length
    }
    expect(answersOf([asked, entry('b', {})])).toBe(1)
    const model = { model: 'm', usage: { prompt_tokens: 1, completion_tokens: 1 } }
    expect(answersOf([asked, entry('b', { ...said, metadata: model }), entry('c', {})])).toBe(1)
  })
})

describe('what a model says by call_user is exported as its words', () => {
  it.each(
    ExportFormat.options.filter((form) => !['original', 'chibi', 'json', 'jsonl'].includes(form)),
  )('in %s', async (form) => {
    const text = await textIn(form, await conversation())
    const shown = form === 'md' ? text.replace(/\\/g, '') : text
    expect(shown).toContain(words)
    expect(text).not.toContain('"message\\"')
    expect(text).not.toMatch(/"content":"","tool_calls":\[\{[^}]*\{"name":"call_user"/)
  })

  it.each(['chibi', 'cycod', 'fluux', 'voicemode'] as const)(
    'in %s, which says the same words when it is read again',
    async (form) => {
      const original = await conversation()
      const text = await textIn(form, original)
      const reader = readers.find(({ id }) => id === form)
      if (reader === undefined) throw new Error('no reader')
      const file = {
        chibi: 'contexts/copy/transcript/active.jsonl',
        cycod: 'history/chat-history-1770000000000.jsonl',
        fluux: 'default@skein.invalid/history.jsonl',
        voicemode: 'logs/conversations/exchanges_2026-02-02.jsonl',
      }[form]
      const [copy] = await readFiles(reader, temp(), { [file]: text })
      const said = (entries: readonly (typeof original.entries)[number][]) =>
        entries
          .filter((entry) => speakerOf(entry) === 'agent' || speakerOf(entry) === 'user')
          .map((entry) => [speakerOf(entry), shownText(entry)])
      expect(said(copy?.entries ?? [])).toEqual(said(original.entries))
      expect(said(original.entries)).toContainEqual(['agent', words])
    },
  )

  it('in CSV under the role of the agent', async () => {
    const text = await textIn('csv', await conversation())
    expect(text).toContain(`default,call_user,flow_control_call,agent,${words},`)
  })

  it('in OpenAI’s form without a call or result of its own, which is said', async () => {
    const read = await conversation()
    const text = await textIn('openai', read)
    expect(text).not.toContain('call_user')
    expect(text).not.toContain('Returning to user')
    const { sentences } = await lossesIn('openai', toExportable(read, []))
    expect(sentences).toContain('1 tool call or result is left out.')
  })
})

it('a transcript that ends in call_user is read whole by the store', async () => {
  const store = openStore({ home: folder, disk: nodeDisk })
  const said: string[] = []
  for await (const row of requireWhole((await store.readWhole('default')).rows))
    if (row.type === 'entry' && speakerOf(row.entry) === 'agent') said.push(shownText(row.entry))
  expect(said.at(-1)).toBe(words)
})
