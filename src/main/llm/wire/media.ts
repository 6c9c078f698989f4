import type { JsonObject } from '../../../shared/model/basics/json-object'
import type { AnswerMedia } from '../chat/provider'
import { objectOf, singleLineOf, textOrUndefined, toList } from './json-fields'

/** The media of one piece: `images` (OpenRouter), `audio` (OpenAI), and parts of the content that are no words. */
export function mediaIn(said: JsonObject): readonly AnswerMedia[] {
  return [
    ...toList(said.images).map((one) => mediaOf(one, 'image')),
    ...toList(said.files).map((one) => mediaOf(one, 'file')),
    ...(Array.isArray(said.content) ? said.content.map(mediaOfPart) : []),
  ].filter((one) => one !== undefined)
}

/** A piece of a sound that is streamed: base64 that is joined with what comes after it, and the words of what is said. */
export function soundIn(said: JsonObject) {
  const audio = objectOf(said.audio)
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

function mediaOf(told: unknown, kind: AnswerMedia['kind']): AnswerMedia | undefined {
  const fields = objectOf(told)
  if (fields === undefined) return typeof told === 'string' ? fromText(told, kind, {}) : undefined
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

function fromText(text: string, kind: AnswerMedia['kind'], told: JsonObject): AnswerMedia {
  const name = singleLineOf(told.filename, 200) ?? singleLineOf(told.name, 200)
  const type =
    textOrUndefined(told.mime_type) ?? textOrUndefined(told.media_type) ?? usualType[kind]
  const isUrl = /^(data:|https?:\/\/)/i.test(text)
  const url = isUrl ? text : `data:${type};base64,${text}`
  return { kind, url, ...(name === undefined ? {} : { name }) }
}
