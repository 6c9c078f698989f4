import { chibi } from './chibi'
import { cycod } from './cycod/cycod'
import { fluux } from './fluux/fluux'
import type { HistoryReader } from './reader'
import { voicemode } from './voicemode/voicemode'

/** Every history system that Skein reads. A new one is one line here. */
export const readers: readonly HistoryReader[] = [chibi, cycod, fluux, voicemode]
