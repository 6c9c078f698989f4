import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { ProviderError, type ProviderEvent } from '../../../../src/main/llm/chat/provider'
import { openAiStream, streamOf } from '../../../../src/main/llm/provider/openai'
import { scrubber } from '../../../../src/main/settings/base/scrub'
import { openSettings } from '../../../../src/main/settings/settings'
import { environmentVault } from '../../../../src/main/settings/stored/key-vault'
import { chunk, eventStream, rawServer } from '../../../support/raw-server'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { realRun } from '../support/real-run'

const temp = tempFolders(memoryFolder)
const key = 'sk-or-v1-0123456789abcdef'
const other = 'sk-another-9876543210'
const coded = Buffer.from(`Bearer ${key}`).toString('base64')

/** What an answer of these bytes is heard as. */
async function hear(bytes: string): Promise<readonly ProviderEvent[]> {
  const stream = openAiStream(
    { baseUrl: 'http://127.0.0.1:9/v1', apiKey: key, otherKeys: [other] },
    {
      fetch: async () => new Response(bytes, { headers: { 'content-type': 'text/event-stream' } }),
    },
  )
  const events: ProviderEvent[] = []
  const request = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] }
  try {
    for await (const event of stream(request, new AbortController().signal)) events.push(event)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    expect(JSON.stringify(error.fault)).not.toContain(key)
  }
  return events
}

const textOf = (events: readonly ProviderEvent[], kind: 'content' | 'reasoning') =>
  events.map((event) => (event.type === kind ? event.text : '')).join('')

describe('a key that an endpoint repeats in its answer', () => {
  it('is told nowhere, wherever content and reasoning are cut and however they alternate', async () => {
    const word = fc.constantFrom(
      key,
      other,
      coded,
      encodeURIComponent(key),
      'Take ',
      's',
      'sk-',
      '\n',
    )
    const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(''))
    const cuts = fc.array(fc.nat(60), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(text, text, cuts, fc.boolean(), async (content, reasoning, sizes, ends) => {
        const left = { content, reasoning }
        const chunks: object[] = []
        const delta = (kind: 'content' | 'reasoning', size: number) => {
          chunks.push(chunk({ [kind]: left[kind].slice(0, size) }))
          left[kind] = left[kind].slice(size)
        }
        for (const [at, size] of sizes.entries())
          delta(at % 2 === 0 ? 'content' : 'reasoning', size)
        delta('content', content.length)
        delta('reasoning', reasoning.length)
        const events = await hear(
          eventStream(...chunks, ...(ends ? [chunk({}, 'stop'), '[DONE]'] : [])),
        )
        // The end of a connection tells as much as the end of an answer.
        const whole = scrubber(key, other)
        expect(textOf(events, 'content')).toBe(whole(content))
        expect(textOf(events, 'reasoning')).toBe(whole(reasoning))
        for (const secret of [key, other]) expect(JSON.stringify(events)).not.toContain(secret)
      }),
      { numRuns: 150 },
    )
  })

  it('is taken out of the model’s name and of calls, which stay JSON', async () => {
    const call = (index: number, text: string) => ({
      tool_calls: [{ index, id: `call_${key}`, function: { name: `run_${key}`, arguments: text } }],
    })
    const events = await hear(
      eventStream(
        { model: `router/${key}`, ...chunk({ content: 'x' }) },
        chunk(call(0, `{"a":"${key.slice(0, 9)}`)),
        chunk({ tool_calls: [{ index: 0, function: { arguments: `${key.slice(9)}"}` } }] }),
        chunk({}, 'tool_calls'),
      ),
    )
    expect(events).toContainEqual({ type: 'model', model: 'router/[key]' })
    expect(events).toContainEqual({
      type: 'calls',
      calls: [{ id: 'call_[key]', name: 'run_[key]', arguments: '{"a":"[key]"}' }],
    })
  })

  it('is taken out of what comes with an answer: addresses, names, and the bytes of files', async () => {
    const file = (text: string) => `data:text/plain;base64,${Buffer.from(text).toString('base64')}`
    const media = async (...urls: readonly string[]) => {
      const images = urls.map((url) => ({ type: 'image_url', image_url: { url } }))
      const events = await hear(eventStream(chunk({ content: 'x', images }), chunk({}, 'stop')))
      return events.flatMap((event) => (event.type === 'media' ? event.media : []))
    }
    const plain = file('nothing to hide')
    expect(
      (await media(`https://images.example/a.png?k=${key}`, file(`key: ${key}.`), plain)).map(
        ({ url }) => url,
      ),
    ).toEqual(['https://images.example/a.png?k=[key]', file('key: [key].'), plain])
  })

  it('is no part of what a run writes, keeps or tells: entries, partial answer, request log, errors', async () => {
    const home = temp()
    const told: string[] = []
    const server = await rawServer((response, request, index) => {
      const said = request.headers.authorization ?? ''
      const letters = [...`You sent ${said}, ${coded}.`]
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const letter of letters) response.write(eventStream(chunk({ content: letter })))
      for (const letter of letters) response.write(eventStream(chunk({ reasoning: letter })))
      if (index > 0) {
        response.end(eventStream({ error: { message: `bad header ${said}`, code: 400 } }))
        return
      }
      const todos = JSON.stringify({ content: `call with ${said}` })
      const id = `call-${said.slice(7)}`
      for (const [at, piece] of [...todos].entries()) {
        const named =
          at === 0
            ? { id, function: { name: 'update_todos', arguments: piece } }
            : { function: { arguments: piece } }
        response.write(eventStream(chunk({ tool_calls: [{ index: 0, ...named }] })))
      }
      response.end(eventStream({ model: said, ...chunk({}, 'tool_calls') }, '[DONE]'))
    })
    try {
      const { events, entries } = await realRun({
        home,
        url: server.url,
        text: 'What did I send?',
        apiKey: key,
        async each() {
          // What is kept of an answer before it is whole, too.
          for (const file of filesBelow(home)) told.push(fs.readFileSync(file, 'utf8'))
        },
      })
      expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
        `Bearer ${key}`,
        `Bearer ${key}`,
      ])
      const all = [JSON.stringify(events), ...told]
      for (const file of filesBelow(home)) all.push(`${file}\n${fs.readFileSync(file, 'utf8')}`)
      expect(
        all.filter((text) => text.includes(key) || text.includes(coded.slice(12, 40))),
      ).toEqual([])
      expect(fs.readFileSync(path.join(home, 'contexts/garden/todos.md'), 'utf8')).toBe(
        'call with Bearer [key]',
      )
      expect(entries.map(({ entry_type: type }) => type)).toContain('tool_call')
      expect(entries.map(({ content }) => content)).toContain(
        scrubber(key)(`You sent Bearer ${key}, ${coded}.`),
      )
    } finally {
      await server.close()
    }
  })

  it('is taken out as well where it is not the one that is sent there', async () => {
    const home = temp()
    const server = await rawServer((response, { headers }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(eventStream(chunk({ content: `${headers.authorization} ${other}` }, 'stop')))
    })
    try {
      const settings = openSettings({
        disk: nodeDisk,
        home,
        folder: path.join(home, 'none'),
        vault: environmentVault,
        environment: { OPENAI_API_KEY: other },
      })
      const run = { baseUrl: server.url, apiKey: key, model: 'm' }
      const events: ProviderEvent[] = []
      const request = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] }
      const stream = streamOf(await settings.endpoint(undefined, run))
      for await (const event of stream(request, new AbortController().signal)) events.push(event)
      expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${key}`)
      expect(textOf(events, 'content')).toBe('Bearer [key] [key]')
    } finally {
      await server.close()
    }
  })
})

function filesBelow(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}
