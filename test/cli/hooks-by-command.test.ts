import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { fillRoom } from '../main/llm/compaction/compaction-room'
import { heardIn, hookTable, pointsIn, recorder, seventeen } from '../support/hook-recorder'
import { answerWith, chunk, type RawServer, rawServer } from '../support/raw-server'
import { tempFolders } from '../support/temp-folder'
import { type AskPlace, askEnvironment, askPlace, trustPlugin } from './ask-process'
import { skeinHere } from './skein-here'

const temp = tempFolders()
let server: RawServer
let answers: (readonly object[])[] = []
beforeAll(async () => {
  server = await rawServer(answerWith(() => answers.shift()))
})
afterAll(() => server.close())
beforeEach(() => {
  answers = []
})

const call = (name: string, args: object) => [
  chunk({
    tool_calls: [
      { index: 0, id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(args) } },
    ],
  }),
  chunk({}, 'tool_calls'),
]

/** A home with a context, and a trusted plugin that takes down what it hears. */
async function heardHome() {
  const place = askPlace(temp())
  const log = path.join(temp(), 'heard.jsonl')
  fs.mkdirSync(path.join(place.home, 'plugins'))
  fs.writeFileSync(path.join(place.home, 'plugins/recorder'), recorder(log), { mode: 0o755 })
  await trustPlugin(place, 'recorder')
  return { place, heard: heardIn(log) }
}

async function skein(place: AskPlace, command: string, ...argv: readonly string[]) {
  const line = [command, '--home', place.home, ...argv]
  const { code, words } = await skeinHere(line, askEnvironment(place, server.url))
  if (code !== 0) throw new Error(`${line.join(' ')}: exit code ${code}: ${words}`)
}

it('the table of the documentation has the seventeen hooks of chibi', () => {
  expect(hookTable().map(({ point }) => point)).toEqual(seventeen)
})

it('each command that writes is heard at the points that the documentation says', async () => {
  const { place, heard } = await heardHome()
  const points = async (...line: Parameters<typeof skein>) => {
    await skein(...line)
    return new Set(heard().map(({ point }) => point))
  }
  const usual = pointsIn('contexts')
  expect(await points(place, 'contexts', 'new', 'zoo')).toEqual(without(usual, 'on_context_switch'))

  answers = [
    call('update_todos', { content: '- as asked' }),
    call('send_message', { to: 'zoo', content: 'Hi' }),
  ]
  const allow = ['--allow', 'update_todos', '--allow', 'send_message']
  await skein(place, 'ask', '-C', 'garden', ...allow, 'Go')
  const asked = heard()
  expect(new Set(asked.map(({ point }) => point))).toEqual(pointsIn('ask'))
  const told = (point: string) => asked.find((one) => one.point === point)?.data
  // The plugin changed what the model had asked for.
  expect(told('post_tool')).toMatchObject({
    tool_name: 'update_todos',
    arguments: { content: '- as the plugin wants' },
  })
  expect(fs.readFileSync(path.join(place.home, 'contexts/garden/todos.md'), 'utf8')).toBe(
    '- as the plugin wants',
  )
  expect(told('on_context_switch')).toEqual({
    from_context: 'zoo',
    to_context: 'garden',
    is_transient: false,
  })
  expect(told('on_start')).toMatchObject({
    chibi_home: place.home,
    tool_count: 1,
    current_context: 'garden',
    verbose: false,
  })

  const sent = '{"to":"zoo","content":"Hi"}'
  expect(
    await points(place, 'tool', '-C', 'garden', '--allow', 'send_message', 'send_message', sent),
  ).toEqual(without(pointsIn('tool', 'send_message'), 'on_context_switch'))

  for (const mode of ['rolling', 'full', 'drop'] as const) {
    for (const words of ['One?', 'Two?', 'Three?']) await skein(place, 'ask', '-C', 'garden', words)
    heard()
    expect([mode, await points(place, 'compact', 'garden', '--mode', mode)]).toEqual([
      mode,
      without(pointsIn('compact', mode), 'on_context_switch'),
    ])
  }
  await skein(place, 'ask', '-C', 'garden', 'Four?')
  heard()
  expect(await points(place, 'contexts', 'clear', 'garden')).toEqual(
    without(pointsIn('contexts', 'clear'), 'on_context_switch'),
  )
  expect(await points(place, 'contexts', 'archive', 'zoo')).toEqual(usual)
  expect(await points(place, 'contexts', 'rename', 'zoo', 'farm')).toEqual(
    without(usual, 'on_context_switch'),
  )
  // It is called something else now: nobody went anywhere.
  expect(await points(place, 'contexts', 'unarchive', 'farm')).toEqual(
    without(usual, 'on_context_switch'),
  )
})

it('a compaction inside of skein ask is heard as the documentation says, before the message is answered', async () => {
  const { place, heard } = await heardHome()
  await fillRoom(place.home)
  await skein(place, 'ask', '-C', 'garden', 'Go on')
  const asked = heard()
  const points = asked.map(({ point }) => point)
  // No tool was called, no message was sent, and this is the first context.
  const others = /tool|send_message|switch/
  expect(new Set(points)).toEqual(
    new Set([...pointsIn('ask', 'auto_compact')].filter((point) => !others.test(point))),
  )
  expect(points.filter((point) => /rolling|_message/.test(point))).toEqual([
    'pre_message',
    'pre_rolling_compact',
    'post_rolling_compact',
    'post_message',
  ])
  const told = (point: string) => asked.find((one) => one.point === point)?.data
  expect(told('pre_rolling_compact')).toMatchObject({
    context_name: 'garden',
    message_count: 9,
    non_system_count: 9,
    summary: 'The old summary.',
  })
  expect(told('post_rolling_compact')).toMatchObject({ context_name: 'garden', message_count: 9 })
  expect(told('post_rolling_compact')?.messages_archived).toBeGreaterThan(0)
})

it('commands that only read run no plugin', async () => {
  const { place, heard } = await heardHome()
  await skein(place, 'contexts', 'new', 'zoo')
  heard()
  for (const line of [['contexts'], ['list'], ['show', 'zoo'], ['verify']])
    await skein(place, line[0] ?? '', ...line.slice(1))
  expect(heard()).toEqual([])
})

function without(points: ReadonlySet<string>, point: string): ReadonlySet<string> {
  return new Set([...points].filter((one) => one !== point))
}
