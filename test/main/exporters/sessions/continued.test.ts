import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appDisk } from '../../../../src/main/disk/app-disk'
import { exporterOf } from '../../../../src/main/exporters/index'
import { countLosses } from '../../../../src/main/exporters/losses'
import { toExportable } from '../../../../src/main/exporters/parts/exporter'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readers } from '../../../../src/main/readers/index'
import { readRoot } from '../../../../src/main/readers/read-root'
import {
  type Entry,
  shownText,
  speakerOf,
  spokenText,
} from '../../../../src/shared/model/conversation/entry'
import type { SourceId } from '../../../../src/shared/model/conversation/sources'
import { leftOutKinds } from '../../../../src/shared/model/export'
import { entryAt, type ReadShape, readShape, written } from '../../../support/exported'
import {
  claudeCodeFaults,
  codexFaults,
  openCodeFaults,
  piFaults,
} from '../../../support/session-checker'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { anyConversation } from '../hostile'
import { whole } from '../round'

const temp = tempFolders(memoryFolder)
const disk = historyDisk(appDisk)
const signal = new AbortController().signal
const forms = ['pi', 'claude-code', 'codex', 'opencode'] as const
type Form = (typeof forms)[number]

function readerOf(id: SourceId) {
  const reader = readers.find((one) => one.id === id)
  if (reader === undefined) throw new Error(`no reader of ${id}`)
  return reader
}

/** The conversation as a session of a form, in a file of the name that the form gives. */
async function sessionOf(form: Form, conversation: ReadShape) {
  const exporter = exporterOf(form)
  const name = exporter.fileName?.({ created: conversation.created }) ?? 'session.json'
  const text = await written(exporter, toExportable(conversation, []), { fileName: name })
  return { name, text }
}

function faultsOf(form: Form, name: string, text: string): readonly string[] {
  if (form === 'pi') return piFaults(text)
  if (form === 'claude-code') return claudeCodeFaults(text, name)
  return form === 'codex' ? codexFaults(text, name) : openCodeFaults(text)
}

/** Where the program has the file, below its own folder; of OpenCode what its import stores. */
function placed(form: Form, name: string, text: string): Readonly<Record<string, string>> {
  if (form === 'pi') return { [`sessions/--garden--/${name}`]: text }
  if (form === 'claude-code') return { [`projects/-garden/${name}`]: text }
  if (form === 'codex') return { [`sessions/2026/11/29/${name}`]: text }
  const { info, messages } = JSON.parse(text)
  const files: Record<string, string> = {
    [`storage/session/global/${info.id}.json`]: JSON.stringify(info),
  }
  for (const message of messages) {
    files[`storage/message/${info.id}/${message.info.id}.json`] = JSON.stringify(message.info)
    for (const part of message.parts)
      files[`storage/part/${message.info.id}/${part.id}.json`] = JSON.stringify(part)
  }
  return files
}

/** What the program's reader makes of the file. */
async function readBack(form: Form, name: string, text: string) {
  const root = temp()
  for (const [file, content] of Object.entries(placed(form, name, text))) {
    fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), content)
  }
  return (await readRoot(readerOf(form), root, disk, signal)).conversations
}

/** A turn of a person or the model, or a call with its result. */
type Turn =
  | {
      readonly who: 'user' | 'agent' | 'reasoning' | 'compaction'
      readonly text: string
      readonly images?: unknown
    }
  | {
      readonly who: 'call'
      readonly tool: string
      readonly input: unknown
      readonly result: string
      readonly isError: boolean
      readonly images?: unknown
    }

const takes: Readonly<Record<Form, { readonly thoughts: boolean; readonly errors: boolean }>> = {
  pi: { thoughts: true, errors: true },
  'claude-code': { thoughts: false, errors: true },
  codex: { thoughts: false, errors: false },
  opencode: { thoughts: false, errors: true },
}

function isCall({ entry_type: type, to }: Entry): boolean {
  return type === 'tool_call' || (type === 'flow_control_call' && to !== 'call_user')
}

function isResult({ entry_type: type, from }: Entry): boolean {
  return type === 'tool_result' || (type === 'flow_control_result' && from !== 'call_user')
}

/** The results of calls by the rule: the next of that id before another call of it; without ids, the next of that tool. */
function pairsIn(entries: readonly Entry[]): ReadonlyMap<Entry, Entry> {
  const pairs = new Map<Entry, Entry>()
  const taken = new Set<Entry>()
  entries.forEach((call, at) => {
    if (!isCall(call)) return
    const id = call.tool_call_id
    const later = entries.slice(at + 1)
    const again = later.findIndex(
      (one) => id !== undefined && isCall(one) && one.tool_call_id === id,
    )
    const near = (again === -1 ? later : later.slice(0, again)).filter(
      (one) => isResult(one) && !taken.has(one) && one.tool_call_id === id,
    )
    const result =
      id === undefined ? (near.find(({ from }) => from === call.to) ?? near[0]) : near[0]
    if (result === undefined) return
    taken.add(result)
    pairs.set(call, result)
  })
  return pairs
}

function inputOf(content: string): unknown {
  if (content.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(content)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return utf8(value)
  } catch {
    // As text.
  }
  return { input: whole(content) }
}

/** UTF-8 has no halves of characters. */
function utf8(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one: unknown) => {
      if (typeof one === 'string') return whole(one)
      if (typeof one !== 'object' || one === null || Array.isArray(one)) return one
      return Object.fromEntries(Object.entries(one).map(([key, field]) => [whole(key), field]))
    }),
  )
}

function imagesOf({ metadata = {} }: Entry): { images?: unknown } {
  const { images } = metadata
  const isData = (image: unknown) =>
    /^data:image\/[a-z]+;base64,[A-Za-z0-9+/]+=*$/.test(String(Object(image).url))
  if (!Array.isArray(images) || images.length === 0 || !images.every(isData)) return {}
  return { images: images.map((image: { url: string }) => image.url) }
}

/** Turns as the form has a place for them, in order. */
function turnsOf(form: Form, conversation: ReadShape): readonly Turn[] {
  const active = new Set<string>(conversation.active ?? conversation.entries.map(({ id }) => id))
  const entries = conversation.entries.filter(({ id }) => active.has(id))
  const pairs = pairsIn(entries)
  const answered = new Set(pairs.values())
  return entries.flatMap((entry): readonly Turn[] => {
    const { metadata = {}, content, entry_type: type } = entry
    const result = pairs.get(entry)
    if (result !== undefined)
      return [
        {
          who: 'call',
          tool: entry.to.replace(/[^\w-]/g, '_').slice(0, 64) || 'tool',
          input: inputOf(content),
          result: whole(result.content),
          isError: takes[form].errors && result.metadata?.is_error === true,
          ...imagesOf(result),
        },
      ]
    if (answered.has(entry)) return []
    if (isCall(entry) || isResult(entry)) return [{ who: 'agent', text: whole(content) }]
    if (takes[form].thoughts) {
      if (type === 'reasoning' && content.trim() !== '')
        return [{ who: 'reasoning', text: whole(content) }]
      const summary = typeof metadata.summary === 'string' ? metadata.summary : content
      if (
        type === 'compaction' &&
        metadata.raw_type !== 'compact_boundary' &&
        summary.trim() !== ''
      )
        return [{ who: 'compaction', text: whole(summary) }]
      if (metadata.raw_type === 'compact_summary')
        return [{ who: 'compaction', text: whole(content) }]
    }
    const who = speakerOf(entry)
    if (who !== 'user' && who !== 'agent') return []
    if (who === 'user' && metadata.injected === true) return []
    const text = conversation.source === 'chibi' ? shownText(entry) : spokenText(entry)
    const images = who === 'user' ? imagesOf(entry) : {}
    return text.trim() === '' && images.images === undefined
      ? []
      : [{ who, text: whole(text), ...images }]
  })
}

/** A call or result that became text, without the line that says so. */
function withoutNote(turn: Turn): Turn {
  if (turn.who !== 'agent') return turn
  return {
    ...turn,
    text: turn.text.replace(
      /^\[(?:Call|Result) of [\s\S]*?, without (?:a result|its call)\]\n/,
      '',
    ),
  }
}

function isOneOfTheirs(form: Form, { entries }: ReadShape): boolean {
  // What a program itself puts before words, and outputs that it wraps, it takes for its own.
  const own =
    form === 'codex' ? /^\s*(?:<|# AGENTS|\{"output":)/ : /^\s*(?:<|Caveat: |\[Request int)/
  return (
    (form === 'codex' || form === 'claude-code') && entries.some(({ content }) => own.test(content))
  )
}

async function expectContinued(form: Form, conversation: ReadShape): Promise<void> {
  const { name, text } = await sessionOf(form, conversation)
  expect(faultsOf(form, name, text)).toEqual([])
  const found = await readBack(form, name, text)
  expect(found.length).toBe(1)
  const [copy] = found
  const expected = turnsOf(form, conversation)
  if (copy === undefined) return
  // A session is one path.
  expect(copy.active === undefined || copy.active.length === copy.entries.length).toBe(true)
  if (!isOneOfTheirs(form, conversation))
    expect(turnsOf(form, copy).map(withoutNote)).toEqual(expected)
  const report = await countLosses(
    exporterOf(form),
    toExportable(conversation, []),
    { branches: 'active' },
    signal,
  )
  const left = report.losses.filter(({ kind }) => leftOutKinds.has(kind))
  const leftOut = left.reduce((sum, { count }) => sum + count, 0)
  // Every entry is there or is named.
  expect(report.entries).toBe(conversation.entries.length)
  expect(report.written + leftOut).toBe(report.entries)
  expect(report.written).toBe(
    expected.reduce((sum, turn) => sum + (turn.who === 'call' ? 2 : 1), 0),
  )
}

const fixtures = path.join(__dirname, '../../../fixtures')
const roots: readonly (readonly [SourceId, string])[] = [
  ...readers
    .map(({ id }) => [id, `readers/${id}/input`] as const)
    .filter(([, folder]) => fs.existsSync(path.join(fixtures, folder))),
  ['chibi', 'chibi/home-v05'],
  ['chibi', 'chibi/home-v09'],
  ['chibi', 'chibi/home-v010'],
  ['cycod', 'branches/cycod-family'],
]

describe.each(forms)('a session of %s', (form) => {
  it('holds every turn, call and result of the fixtures of all systems, and keeps its rules', async () => {
    let conversations = 0
    for (const [id, folder] of roots) {
      const read = await readRoot(readerOf(id), path.join(fixtures, folder), disk, signal)
      for (const one of read.conversations) await expectContinued(form, one)
      conversations += read.conversations.length
    }
    expect(conversations).toBeGreaterThan(40)
  })

  it('holds every turn, call and result of a hundred random conversations, and keeps its rules', async () => {
    await fc.assert(
      fc.asyncProperty(anyConversation, (conversation) => expectContinued(form, conversation)),
      { numRuns: 100 },
    )
  })

  it('has a new id each time, and the folder and title of the conversation', async () => {
    const conversation = readShape([entryAt(1)], { project: '/home/mira/garden', title: 'Soup' })
    const [one, other] = [await sessionOf(form, conversation), await sessionOf(form, conversation)]
    expect(one.text).not.toBe(other.text)
    const found = await readBack(form, one.name, one.text)
    expect(found.map(({ title, project }) => ({ title, project }))).toEqual([
      { title: 'Soup', project: '/home/mira/garden' },
    ])
  })
})

const call = (line: number, id: string, more: Partial<Entry> = {}) =>
  entryAt(line, {
    ...{
      entry_type: 'tool_call',
      role: undefined,
      to: 'look',
      tool_call_id: id,
      content: '{"a":1}',
    },
    ...more,
  })
const result = (line: number, id: string) =>
  entryAt(line, { entry_type: 'tool_result', role: undefined, from: 'look', tool_call_id: id })

async function lossesOf(form: Form, entries: readonly Entry[]) {
  const conversation = toExportable(readShape(entries), [])
  const { losses } = await countLosses(
    exporterOf(form),
    conversation,
    { branches: 'active' },
    signal,
  )
  return losses.map(({ sentence }) => sentence)
}

it('a result behind words that came meanwhile follows its call, and that is said', async () => {
  const entries = [call(1, 'c1'), entryAt(2, { content: 'And salt.' }), result(3, 'c1')]
  expect(await lossesOf('pi', entries)).toEqual([
    '1 tool result moves behind its call.',
    '1 entry gets the time of the entry before, because times must rise.',
  ])
  await expectContinued('pi', readShape(entries))
})

it('a call without a result, and a result without a call, become text, and that is said', async () => {
  const entries = [entryAt(1), call(2, 'c1'), entryAt(3), result(4, 'c2')]
  for (const form of forms) {
    expect(await lossesOf(form, entries)).toEqual([
      '2 tool calls and results without their other halves become text.',
    ])
    await expectContinued(form, readShape(entries))
  }
})

it('ids of calls that a program counts anew in each turn are paired in their turn', async () => {
  const entries = [
    call(1, 'c1'),
    entryAt(2),
    call(3, 'c1', { content: '{"b":2}' }),
    result(4, 'c1'),
  ]
  const { text } = await sessionOf('pi', readShape(entries))
  const calls = text.split('\n').filter((line) => line.includes('"toolCall"'))
  expect(calls.map((line) => JSON.parse(line).message.content)).toEqual([
    [{ type: 'toolCall', id: 'c1', name: 'look', arguments: { b: 2 } }],
  ])
  await expectContinued('pi', readShape(entries))
})

describe('arguments of a call', () => {
  const within = (content: string) => [call(1, 'c1', { content }), result(2, 'c1')]
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

  it.each(forms)('keep in %s every digit, sign and key that they have', async (form) => {
    const content =
      '{ "id": 12345678901234567890,\n\t"far": 1e400, "none": -0, "a": 1.50, "a": 2, "t": "a  \\n\\ud83d\\ude42\\\\ud83d" }'
    const { text } = await sessionOf(form, readShape(within(content)))
    const kept = form === 'codex' ? JSON.stringify(content) : content.replace('\n\t', '')
    expect(text).toContain(`:${kept}`)
    expect(await lossesOf(form, within(content))).toEqual([])
    await expectContinued(form, readShape(within(content)))
  })

  it('are written without halves of characters, and that is said', async () => {
    const entries = within('{"\\uD83D":"\\\\\\ude42 \\ud83d\\ude42"}')
    for (const form of ['pi', 'claude-code', 'opencode'] as const) {
      const { text } = await sessionOf(form, readShape(entries))
      expect(text).toContain('{"\\ufffd":"\\\\\\ufffd \\ud83d\\ude42"}')
      expect(await lossesOf(form, entries)).toEqual([
        '1 entry has broken characters that become U+FFFD.',
      ])
      await expectContinued(form, readShape(entries))
    }
    // Text in JSON has the escape as it is.
    expect(await lossesOf('codex', entries)).toEqual([])
  })

  it.each(forms)('become text in %s where they are nested too deeply for a line', async (form) => {
    expect(await lossesOf(form, within(nested(400)))).toEqual([])
    await expectContinued(form, readShape(within(nested(400))))
    const entries = within(nested(20_000))
    expect(await lossesOf(form, entries)).toEqual([
      '1 tool call has arguments that are no plain JSON object; they become text in one.',
    ])
    const { name, text } = await sessionOf(form, readShape(entries))
    expect(faultsOf(form, name, text)).toEqual([])
    const [copy] = await readBack(form, name, text)
    expect(JSON.parse(copy?.entries[0]?.content ?? '')).toEqual({ input: nested(20_000) })
  })
})

it('times never fall, and what moves is said', async () => {
  const entries = [entryAt(5), entryAt(2), entryAt(6, { timestamp: 1_780_000_006.0004 })]
  expect(await lossesOf('claude-code', entries)).toEqual([
    '1 entry gets the time of the entry before, because times must rise.',
    '1 timestamp is rounded to milliseconds.',
  ])
  await expectContinued('claude-code', readShape(entries))
})

it('the header of a session of pi stays short, whatever the folder is called', async () => {
  const project = `/${'é'.repeat(400)}`
  const conversation = readShape([entryAt(1)], { project })
  const { text } = await sessionOf('pi', conversation)
  expect(piFaults(text)).toEqual([])
  const { losses } = await countLosses(
    exporterOf('pi'),
    toExportable(conversation, []),
    { branches: 'active' },
    signal,
  )
  expect(losses.map(({ kind }) => kind)).toEqual(['project'])
})

/** The checker is worth something only if it finds faults. */
it('the checker finds what breaks a rule', async () => {
  const conversation = readShape([entryAt(1), call(2, 'c1'), result(3, 'c1')])
  for (const form of forms) {
    const { name, text } = await sessionOf(form, conversation)
    const broken = [
      text.replaceAll('"c1"', '"c 1"'),
      text.replace('2026-', '26-').replace(/"created":\d+/g, '"created":"x"'),
      text.replace(/"(?:name|tool)":"look"/, '"name":"l k","tool":"l k"'),
      text.replaceAll('text 1', ' '),
    ]
    for (const one of broken) expect(faultsOf(form, name, one)).not.toEqual([])
  }
})
