import { describe, expect, it } from 'vitest'
import {
  deletedPromptFile,
  deletedPromptOf,
  describePrompt,
  distinctFields,
  fieldsIn,
  fillFields,
  promptFile,
  promptMessage,
  promptNameFault,
  promptNameOf,
  suggestedPromptName,
} from '../../../../src/shared/model/settings/saved-prompts'

describe('the name of a saved prompt', () => {
  it('has letters of any script, and none that the home gives a meaning', () => {
    expect(['review', 'a.b-c_d', '翻訳', 'résumé', '2'].map(promptNameFault)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(
      ['', 'two words', '../x', '.x', 'a/b', 'chibi', 'Chibi', 'title', 'x'.repeat(120)].map(
        promptNameFault,
      ),
    ).toEqual([
      'It needs a name.',
      'It has letters, digits, “-”, “_” and “.”, and no spaces.',
      'It begins with a letter, a digit or “_”.',
      'It begins with a letter, a digit or “_”.',
      'It has letters, digits, “-”, “_” and “.”, and no spaces.',
      '“chibi” has a meaning of its own in this home.',
      '“Chibi” has a meaning of its own in this home.',
      '“title” has a meaning of its own in this home.',
      'It is too long.',
    ])
  })

  it('is none of a device on Windows, nor of a deleted prompt', () => {
    expect(['con', 'NUL', 'Com1.x', 'lpt9', 'review.deleted-2'].map(promptNameFault)).toEqual([
      '“con” is the name of a device on Windows.',
      '“NUL” is the name of a device on Windows.',
      '“Com1.x” is the name of a device on Windows.',
      '“lpt9” is the name of a device on Windows.',
      'A name that ends in “.deleted” is of a deleted prompt.',
    ])
    expect(promptNameFault('console')).toBe(undefined)
    expect(deletedPromptOf('prompts/review.deleted-2.md')).toBe('review')
    expect(deletedPromptOf('prompts/review.md')).toBe(undefined)
    const long = 'x'.repeat(101)
    expect(deletedPromptFile(long, 1)).toBe(`prompts/${long}.deleted.md`)
  })

  it('leads to its file and back', () => {
    expect(promptFile('翻訳')).toBe('prompts/翻訳.md')
    expect(promptNameOf('prompts/翻訳.md')).toBe('翻訳')
    expect(promptFile('reflection')).toBe(undefined)
    expect(promptNameOf('prompts/reflection.md')).toBe(undefined)
    expect(promptNameOf('AGENTS.md')).toBe(undefined)
  })

  it('is suggested by the first words of a text', () => {
    expect(suggestedPromptName('Review this {{language}} code, please: it fails')).toBe(
      'review-this-code-please',
    )
    expect(suggestedPromptName('次の文を訳して')).toBe('次の文を訳して')
    expect(suggestedPromptName('!!!')).toBe('')
    expect(suggestedPromptName('Title')).toBe('')
  })
})

describe('the fields of a prompt', () => {
  it('are names in double braces, with a default after a colon', () => {
    const text = 'Write {{what}} for {{who is it for:a child}} in {{what}}.'
    expect(fieldsIn(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      '{{what}}',
      '{{who is it for:a child}}',
      '{{what}}',
    ])
    expect(distinctFields(text)).toEqual([
      { name: 'what' },
      { name: 'who is it for', default: 'a child' },
    ])
  })

  it('are not what templates of other programs have in braces', () => {
    for (const text of [
      '{{ user.name }}',
      '{{#if x}}',
      '{{/if}}',
      '{{ x | upper }}',
      '{{}}',
      '{{two\nlines}}',
    ])
      expect(fieldsIn(text)).toEqual([])
  })

  it('are filled, by their default where no value is given, and left where there is neither', () => {
    const text = '{{a}} {{b:two}} {{a}} {{b}} {{c}}'
    expect(fillFields(text, new Map([['a', '{{b}} $& \\1']]))).toBe(
      '{{b}} $& \\1 two {{b}} $& \\1 two {{c}}',
    )
    expect(fillFields(text, new Map(), new Set(['a']))).toBe(text)
  })

  it('are at most fifty: with more a prompt says so, and those are not looked for to its end', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `{{f${at}}}`).join(' ')
    const names = describePrompt('x', many(100_000))
    expect(names.fault).toBe('It has more than 50 fields.')
    expect(names.fields).toHaveLength(50)
    expect(distinctFields(many(100_000))).toHaveLength(51)
    expect(describePrompt('x', many(50))).not.toHaveProperty('fault')
    expect(fillFields(`${many(60)} {{f55:late}}`, new Map())).toContain('{{f54}} late {{f56}}')
  })

  it('a prompt is described by its first words, whatever mark they have', () => {
    expect(describePrompt('x', '\n---\n## Review {{what}}\nmore')).toEqual({
      name: 'x',
      about: 'Review {{what}}',
      fields: [{ name: 'what' }],
    })
    expect(describePrompt('x', ' \n')).toMatchObject({ fault: 'It has no text.' })
  })

  it('its text has no byte order mark and no end of the last line', () => {
    expect(promptMessage('\uFEFFone\r\ntwo\r\n\n')).toBe('one\ntwo')
  })
})
