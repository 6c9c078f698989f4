import { isJsonObject } from '../../../shared/model/basics/json-object'
import { allAs, type Known, type KnownFormat, knownObject, knownTypes } from '../known/known-format'
import { documentFields } from './documents'

/** Of all versions of lines, heard and spoken. */
const metadata = knownObject(
  [
    ...['voice_mode_version', 'model', 'provider', 'provider_url', 'provider_type', 'language'],
    ...['audio_format', 'transport', 'timing', 'error', 'voice', 'emotion', 'transcription_time'],
    ...['total_turnaround_time', 'time_to_first_audio', 'generation_time', 'playback_time'],
    ...['is_fallback', 'fallback_reason'],
  ],
  { silence_detection: knownObject(['enabled', 'vad_aggressiveness', 'silence_threshold_ms']) },
)

const line: Known = knownObject(
  [
    ...['version', 'timestamp', 'conversation_id', 'type', 'text', 'project_path', 'audio_file'],
    'duration_ms',
  ],
  { metadata },
  knownTypes('type', allAs(['stt', 'tts'], 'shared' as const)),
)

/** The head of a text file. */
const head: Known = knownObject([
  ...['type', 'timestamp', 'model', 'stt_model', 'tts_model', 'voice', 'provider', 'language'],
  ...[
    'duration_ms',
    'audio_file',
    'audio_format',
    'project_path',
    'version',
    'transport',
    'timing',
  ],
])

/** Table of what the reader knows of voicemode's lines and text files; the version is the program's own. */
export const voicemodeFormat: KnownFormat = {
  proved: '8.12.0',
  versionOf: ({ metadata: told }) => (isJsonObject(told) ? told.voice_mode_version : undefined),
  record: {
    type: 'choice',
    choose: (value) => (isJsonObject(value.head) ? knownObject([], { head }) : line),
  },
  documentValue: (text) => ({ head: documentFields(text) }),
}
