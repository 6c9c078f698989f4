import { describe, expect, it } from 'vitest'
import { terminalText } from '../../../../src/cli/terminal/output'
import { documentText } from '../../../../src/main/exporters/parts/document-text'
import { escapeInvisible } from '../../../../src/main/permission/question-text'
import { ProviderName } from '../../../../src/main/settings/stored/stored-providers'
import { escapedLine } from '../../../../src/main/tools/base/short-text'
import { titleLine } from '../../../../src/shared/model/basics/title'
import {
  escapeControls,
  hasControls,
  replaceControls,
  visibleText,
} from '../../../../src/shared/model/basics/visible'
import { shownImageName } from '../../../../src/shared/model/conversation/images'

const characters = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
const marks = characters.filter((one) => /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u.test(one))

describe('what cannot be seen', () => {
  it('is made visible: controls and characters that turn the text', () => {
    expect(visibleText('a\u0000\u001b[1m\u007f\u202e\u2066\u0085\u200f\u2028')).toBe(
      'a\u2400\u241b[1m\u2421⟨U+202E⟩⟨U+2066⟩⟨U+0085⟩⟨U+200F⟩⟨U+2028⟩',
    )
  })

  it('leaves line feeds, tabs and every script alone', () => {
    const text = 'tab\there\nשלום 日本語 é\u200d'
    expect(visibleText(text)).toBe(text)
    expect(visibleText('a\r\nb\u0007')).toBe('a\nb\u2407')
  })

  it('is escaped so that the text can be told exactly', () => {
    expect(escapeControls('a\n\u202eb\u0000')).toBe('a\\u{a}\\u{202e}b\\u{0}')
  })
})

const isHidden = (shown: (text: string) => string) => (mark: string) =>
  !shown(`a${mark}b`).includes(mark)

it('are controls, Unicode’s marks of direction and separators of lines: no other character is one', () => {
  expect(characters.filter(hasControls)).toEqual(marks)
  expect(characters.filter(isHidden((text) => replaceControls(text, ' ')))).toEqual(marks)
})

describe.each<[string, (text: string) => string]>([
  ['the window', visibleText],
  ['a document', documentText],
  ['the terminal', terminalText],
])('%s', (_, shown) => {
  it('hides every mark but tab and line feed, and nothing else', () => {
    const hidden = marks.filter((mark) => mark !== '\t' && mark !== '\n')
    expect(characters.filter(isHidden(shown))).toEqual(hidden)
  })
})

it('a line for a model hides every mark, and nothing else', () => {
  expect(characters.filter(isHidden(escapedLine))).toEqual(marks)
})

it('a dialog of the system hides every mark, and whatever else is not seen', () => {
  const hidden = characters.filter((one) => hasControls(one) || /\p{Cf}/u.test(one))
  expect(characters.filter(isHidden(escapeInvisible))).toEqual(hidden)
})

it('titles, names of images and names of providers have no mark', () => {
  for (const mark of marks) {
    expect(titleLine(`a${mark}b`, 80)).toBe('a b')
    expect(shownImageName(`a${mark}b`)).toBe('a b')
    expect(ProviderName.safeParse(`a${mark}b`).success).toBe(false)
  }
})
