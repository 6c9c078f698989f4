import { describe, expect, it } from 'vitest'
import {
  type KnownCode,
  takeMarkdownPictures,
} from '../../../../src/renderer/ui/text/pictures-in-markdown'
import { onePoint } from '../../../support/images'

const point = Buffer.from(onePoint).toString('base64')
const tag = `<img src="data:image/png;base64,${point}">`
const image = `![a cat](data:image/png;base64,${point})`
const note = `[picture 1: a cat, PNG, ${onePoint.length} bytes]`

describe('pictures in Markdown', () => {
  it.each([
    `\`\`\`html\n${tag}\n\`\`\``,
    `\`\`\`html\n${tag}\n`,
    `~~~\n${tag}\n${tag}\n~~~`,
    `- a\n\n  \`\`\`\n  ${image}\n  \`\`\``,
    `> \`\`\`\n> ${tag}\n> \`\`\``,
    `Code:\n\n    ${tag}\n`,
    `Use \`${image}\` here`,
    `Use \`\`${tag}\`\` here`,
    `![a\`b](data:image/png;base64,${point})\``,
    `\ue000 \`${point}\``,
  ])('stay in code: %#', (text) => {
    expect(takeMarkdownPictures(text, 'full')).toBeUndefined()
  })

  it('are taken outside of code, and counted without those in it', () => {
    const code = `\`${tag}\`\n\n\`\`\`\n${image}\n\`\`\``
    const taken = takeMarkdownPictures(`${code}\n\n${image}\n\n${code} \ue000`, 'full')
    expect(taken?.text).toBe(`${code}\n\n${note}\n\n${code} \ue000`)
    expect(taken?.pictures.map(({ base64 }) => base64)).toEqual([point])
  })

  it.each([image, `a  \n- ${image}`, `\\\`${image}\\\``, `    a\n\n${image} \`b\``])(
    'are taken where there is code only beside them: %#',
    (text) => {
      expect(takeMarkdownPictures(text, 'full')?.text).toBe(text.replace(image, note))
    },
  )

  it('are told anew as a text grows', () => {
    const text = `${image}\n\n\`\`\`\n${image}\n\`\`\`\n\n\`${image}\` and ${image}\n`
    const known: KnownCode = {}
    for (let length = 1; length <= text.length; length += 1) {
      const part = text.slice(0, length)
      expect(takeMarkdownPictures(part, 'full', known)).toEqual(takeMarkdownPictures(part, 'full'))
    }
    expect(takeMarkdownPictures(text, 'full', known)?.pictures).toHaveLength(2)
  })

  it('in indented lines of a typed text are no code', () => {
    expect(takeMarkdownPictures(`a\n\n    ${image}`, 'light')?.text).toBe(`a\n\n    ${note}`)
  })
})
