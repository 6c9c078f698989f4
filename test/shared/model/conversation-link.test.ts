import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { libraryKeyOf } from '../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../src/shared/model/conversation/entry'
import {
  formatConversationLink,
  parseConversationLink,
} from '../../../src/shared/model/conversation-link'

describe('a link to a conversation', () => {
  it('is an address with the key, and with the id of an entry', () => {
    const key = libraryKeyOf('claude-code', 'projects/-a b/ü#1.jsonl')

    expect(formatConversationLink({ key })).toBe(
      'skein://conversation/claude-code%3Aprojects%2F-a%20b%2F%C3%BC%231.jsonl',
    )
    expect(formatConversationLink({ key, entry: EntryId.parse('x y') })).toBe(
      'skein://conversation/claude-code%3Aprojects%2F-a%20b%2F%C3%BC%231.jsonl#x%20y',
    )
  })

  it('names the same place again, whatever the key and the id are', () => {
    const text = fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' })
    const key = text.filter((each) => each !== '.' && each !== '..')
    fc.assert(
      fc.property(key, fc.option(text, { nil: undefined }), (name, entry) => {
        const place = {
          key: libraryKeyOf('chibi', name),
          ...(entry ? { entry: EntryId.parse(entry) } : {}),
        }
        const link = formatConversationLink(place)
        expect(link).toMatch(/^[\x21-\x7e]+$/)
        expect(parseConversationLink(link ?? '')).toEqual(place)
        // An address that went through the system of the web is the same.
        expect(new URL(link ?? '').href).toBe(link)
      }),
      { numRuns: 300 },
    )
  })

  it.each(['.', '..'])('has none where an address leaves the name out: %s', (name) => {
    expect(formatConversationLink({ key: libraryKeyOf('chibi', name) })).toBeUndefined()
  })

  it('has none where a name has half of a character', () => {
    expect(formatConversationLink({ key: libraryKeyOf('chibi', 'a\ud800') })).toBeUndefined()
  })

  it.each([
    '',
    'skein:',
    'skein://conversation/',
    'skein://settings/x',
    'skein://conversation/a/b',
    'skein://conversation/a?b=c',
    'skein://conversation/a b',
    'skein://conversation/%ff',
    'skein://conversation/a#%',
    'https://conversation/a',
    `skein://conversation/${'a'.repeat(601)}`,
    `skein://conversation/a#${'b'.repeat(20_000)}`,
    ' skein://conversation/a',
  ])('is nothing else: %j', (text) => {
    expect(parseConversationLink(text)).toBeUndefined()
  })
})
