import { chibi } from './chibi'
import { cycod } from './cycod/cycod'
import type { HistoryReader } from './reader'

/** Every history system that Skein reads. A new one is one line here. */
export const readers: readonly HistoryReader[] = [chibi, cycod]
