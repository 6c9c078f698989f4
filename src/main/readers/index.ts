import { chibi } from './chibi'
import type { HistoryReader } from './reader'

/** Every history system that Skein reads. A new one is one line here. */
export const readers: readonly HistoryReader[] = [chibi]
