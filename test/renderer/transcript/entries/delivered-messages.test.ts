import { describe, expect, it } from 'vitest'
import { splitDelivered } from '../../../../src/renderer/transcript/entries/delivered-messages'

const block = [
  '--- INBOX MESSAGES ---',
  '[From: garden] The seeds are there.',
  'Two lines of it.',
  '[From: shed] And the rake.',
  '[From: garden] Once more.',
  '--- END INBOX ---',
  '',
  'Go on.',
].join('\n')

describe('messages that were delivered with what somebody wrote', () => {
  it('are told from it by their marks, with who sent them', () => {
    expect(splitDelivered(block)).toEqual({
      from: ['garden', 'shed'],
      messages:
        '[From: garden] The seeds are there.\nTwo lines of it.\n[From: shed] And the rake.\n[From: garden] Once more.',
      rest: 'Go on.',
    })
  })

  it.each([
    ['plain words', 'Go on.'],
    ['a mark in the middle', `Look: ${block}`],
    ['a first mark alone', '--- INBOX MESSAGES ---\nand no end'],
    ['nothing', ''],
  ])('are not there in %s', (_, text) => {
    expect(splitDelivered(text)).toBeUndefined()
  })

  it('leave nothing out, whatever stands between the marks', () => {
    for (const inner of ['', 'no sender', '[From: ] x', '--- END INBOX ---', '[From: a] \u2028'])
      for (const rest of ['', 'words', '\n\nwords']) {
        const text = `--- INBOX MESSAGES ---\n${inner}\n--- END INBOX ---\n\n${rest}`
        const found = splitDelivered(text)
        for (const part of [inner.split('\n--- END')[0] ?? '', rest.trim()])
          expect(`${found?.messages}\n${found?.rest}`).toContain(part)
      }
  })
})
