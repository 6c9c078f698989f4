import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ChatMessage, ProviderEvent } from '../../../../src/main/llm/chat/provider'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import { citationsOf } from '../../../../src/shared/model/conversation/citations'
import { keptImages } from '../../../../src/shared/model/conversation/images'
import { onePoint } from '../../../support/images'
import { rawServer } from '../../../support/raw-server'
import { tempFolders } from '../../../support/temp-folder'
import { preparedHome } from '../support/prepared-run'
import { content, finish } from '../support/tool-support'

const temp = tempFolders()
const image = `data:image/png;base64,${Buffer.from(onePoint).toString('base64')}`
const media = (
  ...all: readonly [kind: 'image' | 'audio' | 'file', url: string][]
): ProviderEvent => ({
  type: 'media',
  media: all.map(([kind, url]) => ({ kind, url })),
})

async function answered(...events: readonly ProviderEvent[]) {
  const home = preparedHome(temp())
  const { events: told } = await home.play([[...events, finish('stop')]])
  const entry = (await home.entriesOf()).findLast(({ role }) => role === 'agent')
  return { home, entry, end: told.at(-1) }
}

describe('an answer', () => {
  it('that is an image alone is kept with its image and what it cost', async () => {
    const usage: ProviderEvent = { type: 'usage', usage: { input: 8, output: 1290, cost: 0.039 } }
    const { home, entry, end } = await answered(media(['image', image]), usage)
    expect(end).toEqual({ type: 'ended', outcome: 'complete' })
    const [kept] = keptImages(entry?.metadata)
    expect(fs.readFileSync(path.join(home.folder, kept?.file ?? '')).equals(onePoint)).toBe(true)
    expect(entry?.metadata?.usage).toEqual({ input: 8, output: 1290, cost: 0.039 })
  })

  it('has its sounds and files kept under their digests, and names what it cannot keep', async () => {
    const sound = Buffer.from('RIFF....WAVE')
    const { home, entry } = await answered(
      content('Listen.'),
      media(
        ['audio', `data:audio/wav;base64,${sound.toString('base64')}`],
        ['file', 'data:text/html;base64,PGI+'],
        ['image', 'https://example.org/a.png'],
        ['image', 'data:image/png;base64,AAAA'],
      ),
    )
    const attached = (entry?.metadata?.attachments ?? []) as Record<string, string>[]
    expect(attached.map(({ file: _, ...others }) => others)).toEqual([
      { filename: 'audio 1', mime_type: 'audio/wav', size: '1KB' },
      { filename: 'file 2', mime_type: 'text/html', size: '1KB' },
      { filename: 'image 3', mime_type: 'unknown', url: 'https://example.org/a.png' },
      { filename: 'image 4', mime_type: 'image/png', size: '1KB' },
    ])
    expect(attached[0]?.file).toMatch(/^attachments\/[0-9a-f]{64}\.wav$/)
    expect(fs.readFileSync(path.join(home.folder, attached[0]?.file ?? '')).equals(sound)).toBe(
      true,
    )
    // Nothing opens it as a page.
    expect(attached[1]?.file).toMatch(/\.bin$/)
  })

  it('keeps its words where its image cannot be written', async () => {
    const home = preparedHome(temp())
    await home.play([[content('one'), finish('stop')]])
    fs.writeFileSync(path.join(home.folder, 'attachments'), 'a file in the place of the folder')
    await home.play([[content('See.'), media(['image', image]), finish('stop')]])
    const entry = (await home.entriesOf()).findLast(({ role }) => role === 'agent')
    expect(entry?.content).toBe('See.')
    expect(entry?.metadata?.attachments).toMatchObject([{ filename: 'image 1', size: '1KB' }])
  })

  it('keeps the pages that it cites, and the word for an end that is none', async () => {
    const citations = [
      { url: 'https://example.org/a', title: 'A' },
      { url: 'https://example.org/b' },
    ]
    const home = preparedHome(temp())
    await home.play([
      [
        content('So[1].'),
        { type: 'citations', citations },
        { type: 'finish', reason: 'broken', word: 'network_error' },
      ],
    ])
    const entry = (await home.entriesOf()).findLast(({ role }) => role === 'agent')
    expect(citationsOf(entry?.metadata)).toEqual(
      citations.map((one, index) => ({ ...one, number: index + 1 })),
    )
    expect(entry?.metadata).toMatchObject({ finish: 'broken', finish_word: 'network_error' })
  })
})

describe('what a server wants back', () => {
  const thoughts: readonly ProviderEvent[] = [
    { type: 'reasoning', text: 'hm' },
    { type: 'returned', returned: { server: '127.0.0.1:1', thoughtsIn: 'reasoning_content' } },
  ]

  it('goes back to it with the next request, and to no other', async () => {
    const home = preparedHome(temp())
    await home.play([[...thoughts, content('One.'), finish('stop')]], { server: '127.0.0.1:1' })
    const said = async (server: string) => {
      const { requests } = await home.play([[content('x'), finish('stop')]], { server })
      return requests[0]?.messages.find((message) => message.role === 'assistant')
    }
    expect(await said('127.0.0.1:1')).toEqual({
      role: 'assistant',
      content: 'One.',
      returnedFields: { reasoning_content: 'hm' },
    })
    expect(await said('127.0.0.1:2')).toEqual({ role: 'assistant', content: 'One.' })
  })
})

describe('a server that does not want its thoughts back', () => {
  it('is asked again without them, and told so', async () => {
    const server = await rawServer((response, { body }) => {
      const refuses = body.includes('reasoning_content')
      response.writeHead(refuses ? 400 : 200, { 'content-type': 'application/json' })
      const message = { role: 'assistant', content: 'Fine.' }
      response.end(
        JSON.stringify(
          refuses
            ? { error: { message: 'messages[1]: extra field reasoning_content is not allowed' } }
            : { choices: [{ message, finish_reason: 'stop' }] },
        ),
      )
    })
    onTestFinished(() => server.close())
    const returnedFields = { reasoning_content: 'hm' }
    const messages: readonly ChatMessage[] = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'One.', returnedFields },
      { role: 'user', content: 'two' },
    ]
    const events: ProviderEvent[] = []
    for await (const event of openAiStream({ baseUrl: server.url })(
      { model: 'm', messages },
      new AbortController().signal,
    ))
      events.push(event)
    expect(server.seen).toHaveLength(2)
    expect(events).toEqual([
      { type: 'without-parameter', name: 'thoughts' },
      { type: 'content', text: 'Fine.' },
      { type: 'finish', reason: 'stop' },
    ])
  })
})
