import { describe, expect, it } from 'vitest'
import { messageBodyOf } from '../../../../src/renderer/transcript/entries/message-body'
import { framedMessage } from '../../harness/framed-message'

const inbox = '--- INBOX MESSAGES ---\n[From: shed] The rake.\n--- END INBOX ---\n\n'
const notes = { name: 'notes.txt', bytes: new TextEncoder().encode('Rain: 3 mm') }

/** The body of a message of a text and files behind what an inbox brought. */
function bodyOf(before: string, text: string, files = [notes]) {
  const { content, metadata } = framedMessage(text, files)
  const moved = metadata.files?.map((file) => ({
    ...file,
    start: (file.start ?? 0) + before.length,
    end: (file.end ?? 0) + before.length,
  }))
  const { delivered, parts } = messageBodyOf(before + content, { metadata: { files: moved } })
  return [delivered?.messages, parts.map((part) => [part.type, part.text])]
}

describe('the body of a message', () => {
  it('has what the inbox brought once, before a file without words as before words', () => {
    expect(bodyOf(inbox, '')).toEqual(['[From: shed] The rake.', [['file', 'Rain: 3 mm']]])
    expect(bodyOf(inbox, 'Look.')).toEqual([
      '[From: shed] The rake.',
      [
        ['words', 'Look.'],
        ['file', 'Rain: 3 mm'],
      ],
    ])
    expect(bodyOf(inbox, 'Look.', [])).toEqual(['[From: shed] The rake.', [['words', 'Look.']]])
  })

  it('hides nothing of words that only look like an inbox', () => {
    const words = `\n\n${inbox}Hello`
    expect(bodyOf('', words, [])).toEqual([undefined, [['words', words]]])
    expect(bodyOf('', words)).toEqual([
      undefined,
      [
        ['words', words],
        ['file', 'Rain: 3 mm'],
      ],
    ])
  })
})
