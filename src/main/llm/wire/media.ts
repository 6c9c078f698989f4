import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { AnswerMedia } from '../chat/provider'
import { objectOf, singleLineOf, textOrUndefined, toList } from './json-fields'

/** Reads the media of one piece: `images` (OpenRouter), `files`, and parts of the content that are no text. */
export function mediaIn(message: JsonObject): readonly AnswerMedia[] {
  return [
    ...toList(message.images).map((one) => mediaOf(one, 'image')),
    ...toList(message.files).map((one) => mediaOf(one, 'file')),
    ...(Array.isArray(message.content) ? message.content.map(mediaOfPart) : []),
  ].filter((one) => one !== undefined)
}

/**
 * Reads a piece of streamed `audio` (OpenAI): base64, which is joined with the pieces after it, and its transcript.
 */
export function soundIn(message: JsonObject) {
  const audio = objectOf(message.audio)
  if (audio === undefined) return undefined
  return {
    data: textOrUndefined(audio.data) ?? '',
    transcript: typeof audio.transcript === 'string' ? audio.transcript : '',
    format: textOrUndefined(audio.format),
  }
}

function mediaOfPart(part: unknown): AnswerMedia | undefined {
  const fields = objectOf(part)
  const type = textOrUndefined(fields?.type) ?? ''
  if (fields === undefined || /text|think|reason/.test(type)) return undefined
  if (/image/.test(type)) return mediaOf(fields, 'image')
  if (/audio/.test(type)) return mediaOf(fields, 'audio')
  return /file/.test(type) ? mediaOf(fields, 'file') : undefined
}

function mediaOf(value: unknown, kind: AnswerMedia['kind']): AnswerMedia | undefined {
  const fields = objectOf(value)
  if (fields === undefined) return typeof value === 'string' ? fromText(value, kind, {}) : undefined
  const inner =
    objectOf(fields.image_url) ??
    objectOf(fields.input_audio) ??
    objectOf(fields.audio) ??
    objectOf(fields.file) ??
    objectOf(fields.source) ??
    fields
  const text =
    textOrUndefined(fields.image_url) ??
    textOrUndefined(inner.url) ??
    textOrUndefined(inner.file_data) ??
    textOrUndefined(inner.b64_json) ??
    textOrUndefined(inner.data) ??
    textOrUndefined(fields.image)
  return text === undefined ? undefined : fromText(text, kind, inner)
}

const usualType = { image: 'image/png', audio: 'audio/wav', file: 'application/octet-stream' }

function fromText(text: string, kind: AnswerMedia['kind'], fields: JsonObject): AnswerMedia {
  const name = singleLineOf(fields.filename, 200) ?? singleLineOf(fields.name, 200)
  const type =
    textOrUndefined(fields.mime_type) ?? textOrUndefined(fields.media_type) ?? usualType[kind]
  const isUrl = /^(data:|https?:\/\/)/i.test(text)
  const url = isUrl ? text : `data:${type};base64,${text}`
  return { kind, url, ...(name === undefined ? {} : { name }) }
}
