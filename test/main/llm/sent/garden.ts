import fs from 'node:fs'
import path from 'node:path'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { CompactionResult } from '../../../../src/main/llm/compaction/compact'
import { compactContext } from '../../../../src/main/llm/compaction/manual'
import { streamOf } from '../../../../src/main/llm/provider/openai'
import { openSentReader, type SentDeps } from '../../../../src/main/llm/sent/sent-reader'
import { systemClock } from '../../../../src/main/llm/timing/clock'
import { openSettings } from '../../../../src/main/settings/settings'
import { environmentVault } from '../../../../src/main/settings/stored/key-vault'
import { openStore } from '../../../../src/main/store/open-store'
import { noHooks } from '../../../../src/main/tools/hooks/hooks'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { requireWhole } from '../../../../src/shared/model/conversation/reading'
import type { CompactionMode } from '../../../../src/shared/model/run/run'
import type { RawServer } from '../../../support/raw-server'
import { type RealRunOptions, realRun } from '../support/real-run'

/** A home with the context `garden`, in which real runs ask a server that takes down what comes in. */
export function gardenIn(home: string, server: RawServer) {
  const folder = path.join(home, 'contexts/garden')
  const settings = openSettings({
    disk: nodeDisk,
    home,
    folder: path.join(home, 'none'),
    vault: environmentVault,
    environment: {},
  })
  const put = (name: string, text: string) => {
    const file = path.join(home, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  }
  /** The bodies that came to the server since it was asked last. */
  let taken = server.seen.length
  const received = (): Record<string, unknown>[] => {
    const bodies = server.seen.slice(taken).map(({ body }) => JSON.parse(body))
    taken = server.seen.length
    return bodies
  }
  async function entries(): Promise<readonly Entry[]> {
    const all: Entry[] = []
    for await (const row of requireWhole(
      (await openStore({ home, disk: nodeDisk }).readWhole('garden')).rows,
    ))
      if (row.type === 'entry') all.push(row.entry)
    return all
  }
  /** Asks, and gives each request as the server got it beside the first entry of its answer. */
  async function ask(text: string, options: Partial<RealRunOptions> = {}) {
    received()
    const told = await realRun({ home, url: server.url, text, logs: false, ...options })
    const answers = told.entries.filter(({ metadata }) => metadata?.model !== undefined)
    const bodies = received()
    return answers.map((entry, index) => ({ entry, body: asTakenDown(bodies[index]) }))
  }
  async function compact(mode: CompactionMode): Promise<CompactionResult> {
    const steps = compactContext(
      { context: 'garden', mode, run: { baseUrl: server.url, model: 'practice' } },
      {
        disk: nodeDisk,
        store: openStore({ home, disk: nodeDisk }),
        endpoint: (context, run) => settings.endpoint(context, run),
        runSettings: (context, run) => settings.runSettings(context, run),
        provider: streamOf,
        clock: systemClock,
        hooks: noHooks,
        note: () => undefined,
      },
      new AbortController().signal,
    )
    let step = await steps.next()
    while (!step.done) step = await steps.next()
    received()
    return step.value
  }
  const reader = (deps: Partial<SentDeps> = {}) =>
    openSentReader({
      disk: nodeDisk,
      home,
      runSettings: (context) => settings.runSettings(context),
      endpoint: (context) => settings.endpoint(context),
      ...deps,
    })
  return { home, folder, put, ask, compact, entries, reader, server }
}

/** What a server got, as a log would say it: nothing of our own code is asked. */
function asTakenDown(body: Record<string, unknown> | undefined): Record<string, unknown> {
  if (body === undefined) throw new Error('the server got no such request')
  const { stream_options: _, ...others } = body
  const text = JSON.stringify(others).replace(
    /"(data:image\/[a-z]+;base64,)([A-Za-z0-9+/=]*)"/g,
    (_all, head: string, bytes: string) => `"${head}(${bytes.length} characters)"`,
  )
  return JSON.parse(text)
}
