import { afterEach, describe, expect, it } from 'vitest'
import { checkHome } from '../../../support/chibi-checker/home'
import type { RawServer } from '../../../support/raw-server'
import { responseEvents, wholeResponse } from '../../../support/responses-events'
import { scriptedServer } from '../../../support/scripted-server'
import { servers, words } from '../../../support/server-cases'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { realRun } from '../support/real-run'

const temp = tempFolders(memoryFolder)
/** Every one of these servers ends its stream itself: nothing is decided by the clock. */
const patient = { doneMs: 240_000, tailMs: 240_000 }
let server: RawServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

describe('a run against a server with', () => {
  it.each(servers)('%s', async (_, answer, kept) => {
    let isOver = false
    server = await scriptedServer(() => {
      if (isOver) return { steps: [words('Going on.')] }
      return 'steps' in answer ? answer : { steps: answer }
    })
    const home = temp()
    const ran = await realRun({ home, url: server.url, text: 'hello', limits: patient })
    const answers = ran.entries.filter(({ role }) => role === 'agent')
    const failure = ran.entries.find(({ entry_type: type }) => type === 'run_error')
    expect({ outcome: ran.end.outcome, content: answers.at(-1)?.content ?? '' }).toEqual({
      outcome: kept.outcome,
      content: kept.content,
    })
    expect(answers.at(-1)?.metadata ?? {}).toMatchObject(kept.metadata ?? {})
    expect(failure === undefined).toBe(kept.failure === undefined)
    expect(JSON.stringify(failure ?? '')).toContain(kept.failure ?? '')
    expect(checkHome(home)).toEqual([])

    isOver = true
    const next = await realRun({ home, url: server.url, text: 'go on' })
    expect(next.end).toEqual({ type: 'ended', outcome: 'complete' })
  })
})

describe('a run against a server of the Responses API with', () => {
  const said = [{ type: 'message', text: 'Said.' }] as const
  it.each([
    [
      'packets of one byte',
      [...Buffer.from(responseEvents(said).join(''))].map((byte) => Uint8Array.of(byte)),
    ],
    ['one document', [JSON.stringify(wholeResponse(said))]],
    ['[DONE] behind it', [...responseEvents(said), 'data: [DONE]\n\n']],
    ['a reset behind it', [...responseEvents(said), 'reset' as const]],
  ])('%s', async (_, steps) => {
    server = await scriptedServer(() => ({ steps }))
    const home = temp()
    const { entries, end: ended } = await realRun({
      home,
      url: server.url,
      text: 'hello',
      values: { 'api.protocol': 'responses' },
      limits: patient,
    })
    expect(ended).toEqual({ type: 'ended', outcome: 'complete' })
    expect(entries.at(-1)?.content).toBe('Said.')
  })
})
