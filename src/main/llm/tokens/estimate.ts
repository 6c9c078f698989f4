import type { Entry } from '../../../shared/model/conversation/entry'
import type { ToolDefinition } from '../../tools/base/tool'
import type { ChatMessage } from '../chat/provider'
import { type Prompt, promptText } from '../prompt/messages'

/** chibi's rule of thumb. */
const bytesPerToken = 4
/** Tokens that providers count for an image of usual size, whatever its bytes. */
const tokensPerImage = 1100

/**
 * Estimates the tokens of messages as chibi does: the bytes of each as JSON divided by 4, and a share for each
 * image.
 */
export function tokensOf(messages: readonly ChatMessage[], images = 0): number {
  const words = messages.reduce((sum, message) => sum + tokensOfMessage(message), 0)
  return words + tokensOfImages(images)
}

/** Estimates the tokens of images by their number: 1,100 each, whatever their size. */
export function tokensOfImages(images: number): number {
  return images * tokensPerImage
}

/** Estimates the tokens of the prompt and the tools. */
export function estimatePromptTokens(prompt: Prompt, tools: readonly ToolDefinition[]): number {
  const system = promptText(prompt)
  const definitions = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }))
  return (
    (system === '' ? 0 : tokensOfJson({ role: 'system', content: system })) +
    definitions.reduce((sum, tool) => sum + tokensOfJson({ type: 'function', function: tool }), 0)
  )
}

/** Estimates the tokens of a text: its bytes divided by 4, rounded up. */
export function tokensOfText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

/** Counts the images of an entry. */
export function keptImageCount({ metadata }: Entry): number {
  const images: unknown = metadata?.images
  return Array.isArray(images) ? images.length : 0
}

/**
 * A longer text is not written out as JSON only to be measured: of tens of megabytes, everybody would wait. In
 * characters.
 */
const longText = 256 * 1024

function tokensOfMessage(message: ChatMessage): number {
  const { content } = message
  if (typeof content !== 'string' || content.length <= longText) return tokensOfJson(message)
  const around = Buffer.byteLength(JSON.stringify({ ...message, content: '' }))
  return tokensOfJsonBytes(around + Math.ceil(bytesInJson(content)))
}

/** Estimates what a long text takes as JSON, in bytes, if all of it has as many escapes as its beginning. */
function bytesInJson(text: string): number {
  const head = text.slice(0, longText)
  const quotes = 2
  const escaped = Buffer.byteLength(JSON.stringify(head)) - quotes
  return Buffer.byteLength(text) * (escaped / Buffer.byteLength(head))
}

function tokensOfJson(value: object): number {
  return tokensOfJsonText(JSON.stringify(value))
}

/**
 * Estimates the tokens of a message or a tool by its JSON. Rounds up, where chibi rounds down, and adds the ids that
 * chibi counts: too much is better than too little.
 */
export function tokensOfJsonText(json: string): number {
  return tokensOfJsonBytes(Buffer.byteLength(json))
}

function tokensOfJsonBytes(bytes: number): number {
  const idBytes = 46
  return Math.ceil((bytes + idBytes) / bytesPerToken)
}
