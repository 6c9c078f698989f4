import { isJsonObject } from '../../../../shared/model/basics/json-object'
import { isCallType, isResultType } from './known-blocks'
import type { WordStretch } from './stretch'

/** Part of a record that becomes one entry. */
export type BlockPart =
  | {
      readonly type: 'words'
      readonly content: string
      readonly isAssistant: boolean
      /** Why they are no person's own. */
      readonly injectedAs: string | undefined
      readonly images: readonly unknown[]
      readonly attachments: readonly unknown[]
    }
  | { readonly type: 'thought'; readonly content: string; readonly isRedacted: boolean }
  | {
      readonly type: 'call'
      /** JSON of the arguments. */
      readonly content: string
      readonly id: string | undefined
      readonly name: string
      readonly rawType: string | undefined
    }
  | {
      readonly type: 'result'
      readonly content: string
      readonly id: string | undefined
      readonly isError: boolean
      readonly rawType: string | undefined
      readonly images: readonly unknown[]
      readonly attachments: readonly unknown[]
    }
  | {
      readonly type: 'system' | 'boundary' | 'unknown'
      readonly content: string
      readonly rawType: string
    }

/** Whose content it is. */
interface Speaker {
  readonly isAssistant: boolean
  readonly injectedAs: string | undefined
  /** Splits what the program put into a person's message from their words; at least one stretch. */
  readonly splitWords: (text: string) => readonly WordStretch[]
}

/**
 * Converts the content of a message, a text or a list of blocks. Text with its images is one part; what the program put in
 * front of a person's words is a part of its own. At least one part.
 */
export function partsOfContent(content: unknown, speaker: Speaker): readonly BlockPart[] {
  if (typeof content === 'string') return wordsOf(content, speaker)
  if (!Array.isArray(content))
    return [words(content == null ? '' : JSON.stringify(content), speaker, speaker.injectedAs)]
  const parts: BlockPart[] = []
  for (const block of content) {
    for (const part of partsOfBlock(block, speaker)) {
      const last = parts.at(-1)
      const joined = last === undefined ? undefined : joinedWords(last, part)
      if (joined === undefined) parts.push(part)
      else parts[parts.length - 1] = joined
    }
  }
  return parts.length === 0 ? [words('', speaker, speaker.injectedAs)] : parts
}

/** Words that follow words of the same speaker are one text. */
function joinedWords(before: BlockPart, part: BlockPart): BlockPart | undefined {
  if (before.type !== 'words' || part.type !== 'words') return undefined
  if (before.injectedAs !== part.injectedAs) return undefined
  const texts = [before.content, part.content].filter((text) => text !== '')
  return {
    ...part,
    content: texts.join('\n'),
    images: [...before.images, ...part.images],
    attachments: [...before.attachments, ...part.attachments],
  }
}

function wordsOf(text: string, speaker: Speaker): readonly BlockPart[] {
  if (speaker.isAssistant || speaker.injectedAs !== undefined)
    return [words(text, speaker, speaker.injectedAs)]
  return speaker.splitWords(text).map(({ content, wrapper }) => words(content, speaker, wrapper))
}

function words(
  content: string,
  { isAssistant }: Speaker,
  injectedAs: string | undefined,
): Extract<BlockPart, { type: 'words' }> {
  return { type: 'words', content, isAssistant, injectedAs, images: [], attachments: [] }
}

function partsOfBlock(block: unknown, speaker: Speaker): readonly BlockPart[] {
  if (typeof block === 'string') return wordsOf(block, speaker)
  if (!isJsonObject(block)) return [attached(block, speaker)]
  const { type, text } = block
  if (type === 'text' && typeof text === 'string') return wordsOf(text, speaker)
  if (type === 'thinking' || type === 'redacted_thinking') {
    const { thinking } = block
    const content = [thinking, text].find((one) => typeof one === 'string') ?? ''
    return [{ type: 'thought', content, isRedacted: type === 'redacted_thinking' }]
  }
  if (type === 'image')
    return [{ ...attached(block, speaker), images: [imageOf(block)], attachments: [] }]
  if (isCallType(type)) return [callOf(type, block)]
  if (isResultType(type)) return [resultOf(type, block)]
  return [attached(block, speaker)]
}

function callOf(type: string, { id, name, input }: Readonly<Record<string, unknown>>): BlockPart {
  return {
    type: 'call',
    content: typeof input === 'string' ? input : input == null ? '' : JSON.stringify(input),
    id: typeof id === 'string' ? id : undefined,
    name: typeof name === 'string' ? name : '',
    rawType: type === 'tool_use' ? undefined : type,
  }
}

function resultOf(
  type: string,
  { tool_use_id: id, content, is_error: isError }: Readonly<Record<string, unknown>>,
): BlockPart {
  const texts: string[] = []
  const images: unknown[] = []
  const attachments: unknown[] = []
  for (const block of Array.isArray(content) ? content : [content]) {
    if (typeof block === 'string') texts.push(block)
    else if (isJsonObject(block) && block.type === 'text' && typeof block.text === 'string')
      texts.push(block.text)
    else if (isJsonObject(block) && block.type === 'image') images.push(imageOf(block))
    else if (block != null) attachments.push(block)
  }
  // What is no text is searched and shown all the same.
  if (texts.length === 0 && attachments.length > 0)
    texts.push(attachments.map((one) => JSON.stringify(one)).join('\n'))
  return {
    type: 'result',
    content: texts.join('\n'),
    id: typeof id === 'string' ? id : undefined,
    isError: isError === true,
    rawType: type === 'tool_result' ? undefined : type,
    images,
    attachments,
  }
}

function attached(block: unknown, speaker: Speaker): Extract<BlockPart, { type: 'words' }> {
  return { ...words('', speaker, speaker.injectedAs), attachments: [block] }
}

/** As other sources have images: by their address. */
function imageOf(block: Readonly<Record<string, unknown>>): unknown {
  const { source } = block
  if (!isJsonObject(source)) return block
  const { type, media_type: mime, data, url } = source
  if (type === 'base64' && typeof data === 'string' && typeof mime === 'string')
    return { url: `data:${mime};base64,${data}` }
  return typeof url === 'string' ? { url } : block
}
