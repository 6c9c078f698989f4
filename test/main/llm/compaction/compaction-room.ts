import fs from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { CompactionResult } from '../../../../src/main/llm/compaction/compact'
import { compactContext } from '../../../../src/main/llm/compaction/manual'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import { openSettings } from '../../../../src/main/settings/settings'
import { environmentVault } from '../../../../src/main/settings/stored/key-vault'
import { defaultRotationPolicy } from '../../../../src/main/store/core/manifest'
import { openStore } from '../../../../src/main/store/open-store'
import { type Hooks, noHooks } from '../../../../src/main/tools/hooks/hooks'
import type { CompactionMode } from '../../../../src/shared/model/run/run'
import { message } from '../../../support/entries'
import { chunk, eventStream, rawServer } from '../../../support/raw-server'
import { chatRules } from '../../../support/strict-chat'
import { hurried } from '../support/real-run'

/** Puts a conversation into a home whose next request comes too near the limit of 3,000 tokens. */
export async function fillRoom(home: string, maxEntries = 1000): Promise<void> {
  fs.writeFileSync(
    path.join(home, 'config.toml'),
    'auto_compact = true\nauto_compact_threshold = 60.0\ncontext_window_limit = 3000\n[tools]\ninclude = ["update_todos"]\n',
  )
  const storagePolicy = async () => ({ ...defaultRotationPolicy, maxEntries })
  const store = openStore({ home, disk: nodeDisk, storagePolicy })
  const writer = await store.openWriter('garden', { create: true })
  for (let n = 1; n <= 8; n++) {
    const words = `word ${n} ${'and so on '.repeat(90)}`
    await writer.append(
      n % 2 === 1
        ? message(words, { from: 'user', to: 'garden', role: 'user' })
        : message(words, { from: 'garden', to: 'user', role: 'agent' }),
    )
  }
  await writer.close()
  fs.writeFileSync(path.join(home, 'contexts/garden/summary.md'), 'The old summary.')
}

type Phase = 'choosing' | 'summarizing' | 'answering'

/** Answers a request for a summary in a way of its own; `attempt` counts them from 1. */
export type Summarize = (response: ServerResponse, attempt: number) => void

export const inStream = (response: ServerResponse, ...pieces: readonly (object | string)[]) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(eventStream(...pieces))
}

export const summarizes: Summarize = (response) =>
  inStream(response, chunk({ content: 'The new summary.' }), chunk({}, 'stop'), '[DONE]')

/** A server that answers what a compaction asks, and refuses nothing; `refusals` has what OpenAI would refuse. */
export async function roomServer() {
  const phases: Phase[] = []
  const refusals: string[] = []
  const played = { summarize: summarizes, phases, refusals }
  let attempts = 0
  const server = await rawServer((response, { body }) => {
    const request = JSON.parse(body)
    refusals.push(...chatRules(request))
    const last: string = request.messages.at(-1).content
    // Behind the system's words, where those were refused as a message of their own.
    if (/^Please summarize/m.test(last)) {
      phases.push('summarizing')
      played.summarize(response, ++attempts)
      return
    }
    const isChoice = /^These are the messages/m.test(last)
    phases.push(isChoice ? 'choosing' : 'answering')
    const words = isChoice ? '[1, 2, 3]' : 'Fine, then.'
    inStream(response, chunk({ content: words }), chunk({}, 'stop'), '[DONE]')
  })
  return Object.assign(played, {
    url: server.url,
    close: server.close,
    /** Begins another test. */
    restart() {
      attempts = 0
      played.summarize = summarizes
      phases.length = 0
      refusals.length = 0
    },
  })
}

/** A compaction that a person asks for, over HTTP. */
export async function compactByHand(
  home: string,
  url: string,
  mode: CompactionMode,
  options: { readonly hooks?: Hooks; readonly signal?: AbortSignal } = {},
): Promise<CompactionResult> {
  const disk = nodeDisk
  const settings = openSettings({
    disk,
    home,
    folder: path.join(home, 'none'),
    vault: environmentVault,
    environment: {},
  })
  const steps = compactContext(
    { context: 'garden', mode, run: { baseUrl: url, model: 'practice' } },
    {
      disk,
      store: openStore({ home, disk }),
      endpoint: (context, run) => settings.endpoint(context, run),
      runSettings: (context, run) => settings.runSettings(context, run),
      provider: ({ baseUrl }) => openAiStream({ baseUrl: baseUrl.value, apiKey: undefined }),
      clock: hurried,
      hooks: options.hooks ?? noHooks,
      note: (words) => {
        throw new Error(words)
      },
    },
    options.signal ?? new AbortController().signal,
  )
  let next = await steps.next()
  while (!next.done) next = await steps.next()
  return next.value
}

/** The files that say what the window is, as they stand: the transcript, its window, and the summary. */
export function standing(home: string): Readonly<Record<string, string>> {
  const names = ['transcript/active.jsonl', 'context.jsonl', 'summary.md']
  return Object.fromEntries(
    names.map((name) => [name, fs.readFileSync(path.join(home, 'contexts/garden', name), 'utf8')]),
  )
}

/** Contents of the window file, anchors left out, each by its first two words. */
export function inWindow(home: string): readonly string[] {
  return fs
    .readFileSync(path.join(home, 'contexts/garden/context.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ entry_type: type }) => type === 'message')
    .map(({ content }) => content.split(' ').slice(0, 2).join(' '))
}

export const allWords = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `word ${n}`)
