import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { searchCommand } from '../../src/cli/commands/search'
import { showCommand } from '../../src/cli/commands/show'
import { statsCommand } from '../../src/cli/commands/stats'
import { tailCommand } from '../../src/cli/commands/tail'
import { tempFolders } from '../support/temp-folder'
import { run } from './run'

const folder = tempFolders()

interface Said {
  readonly type: 'stt' | 'tts'
  readonly text: string
  readonly at: string
  readonly id?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** A line as voicemode writes it. */
function line({ type, text, at, id = 'conv_20260301_235800_abc123', metadata }: Said): string {
  return `${JSON.stringify({
    version: 3,
    timestamp: at,
    conversation_id: id,
    type,
    text,
    project_path: '/home/mira/garden',
    metadata: { voice_mode_version: '8.12.0', ...metadata },
  })}\n`
}

const spoken = { provider: 'kokoro', transport: 'local', timing: 'ttfa 0.5s, gen 1.0s' }
const heard = { provider: 'whisper', transport: 'livekit', timing: 'record 2.0s, stt 0.5s' }
const days = {
  '2026-03-01': [
    line({
      type: 'tts',
      text: 'What shall we plant?',
      at: '2026-03-01T23:58:00+00:00',
      metadata: spoken,
    }),
    line({ type: 'stt', text: 'Beans', at: '2026-03-01T23:58:10+00:00', metadata: heard }),
  ],
  '2026-03-02': [
    line({ type: 'tts', text: 'Beans it is.', at: '2026-03-02T00:00:10+00:00', metadata: spoken }),
    line({
      type: 'stt',
      text: 'hello',
      at: '2026-03-02T08:00:00+00:00',
      id: 'conv_20260302_080000_other1',
      metadata: heard,
    }),
  ],
}

function logs(): { readonly folder: string; readonly argv: readonly string[] } {
  const root = folder()
  const conversations = path.join(root, 'logs/conversations')
  fs.mkdirSync(conversations, { recursive: true })
  for (const [day, lines] of Object.entries(days))
    fs.writeFileSync(path.join(conversations, `exchanges_${day}.jsonl`), lines.join(''))
  return { folder: conversations, argv: ['--root', `voicemode=${root}`] }
}

const contents = (out: string) =>
  out
    .split('\n')
    .filter(Boolean)
    .map((one) => JSON.parse(one).content)

it('shows one conversation over midnight, a side or a transport of it', async () => {
  const { argv } = logs()
  const said = async (...more: string[]) =>
    contents((await run(showCommand, ['abc123', ...argv, '--format', 'json', ...more])).out)
  expect(await said()).toEqual(['What shall we plant?', 'Beans', 'Beans it is.'])
  expect(await said('--role', 'user')).toEqual(['Beans'])
  expect(await said('--transport', 'local')).toEqual(['What shall we plant?', 'Beans it is.'])
  expect(await said('--provider', 'whisper')).toEqual(['Beans'])
  const { out } = await run(showCommand, ['abc123', ...argv, '-f', 'simple', '-n', '1'])
  expect(out).toMatch(
    /\[AGENT\] voicemode {2}Beans it is\. {2}\(kokoro, local, ttfa 0\.5s, gen 1\.0s\)\n$/,
  )
})

it('counts what was spoken and heard', async () => {
  const { argv } = logs()
  const { speech, entries } = JSON.parse((await run(statsCommand, [...argv, '--json'])).out)
  expect(entries).toMatchObject({ total: 4, byRole: { user: 2, agent: 2 } })
  expect(speech).toMatchObject({
    exchanges: 4,
    byProvider: { kokoro: 2, whisper: 2 },
    byTransport: { livekit: 2, local: 2 },
    timing: { ttfa: { count: 2, average: 0.5 }, record: { count: 2, average: 2 } },
    turnaround: { count: 2, min: 10, max: 120 },
  })
})

it('searches one side, and hits of a conversation together', async () => {
  const { argv } = logs()
  const { hits } = JSON.parse(
    (await run(searchCommand, ['beans', '--role', 'user', ...argv, '--json'], { cache: folder() }))
      .out,
  )
  expect(hits.map((hit: { snippet: string }) => hit.snippet)).toEqual(['Beans'])
})

it('tails one side into the next day, and other conversations', async () => {
  const { folder: conversations, argv } = logs()
  const ending = new AbortController()
  const append = (day: string, said: Said) =>
    fs.appendFileSync(path.join(conversations, `exchanges_${day}.jsonl`), line(said))
  const steps = [
    () => append('2026-03-02', { type: 'stt', text: 'More', at: '2026-03-02T23:59:00+00:00' }),
    () => append('2026-03-03', { type: 'stt', text: 'And more', at: '2026-03-03T00:00:10+00:00' }),
    () => append('2026-03-03', { type: 'tts', text: 'Yes', at: '2026-03-03T00:00:20+00:00' }),
    () =>
      append('2026-03-03', {
        type: 'stt',
        text: 'New',
        at: '2026-03-03T09:00:00+00:00',
        id: 'conv_20260303_090000_new001',
      }),
  ]
  const { out } = await run(
    tailCommand,
    [...argv, '--source', 'voicemode', '--role', 'user', '--last', '0', '--json'],
    {
      signal: ending.signal,
      pause: async () => {
        const step = steps.shift()
        if (step === undefined) ending.abort()
        else step()
      },
    },
  )
  expect(contents(out)).toEqual(['More', 'And more', 'New'])
})
