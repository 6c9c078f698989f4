import { piFormLine } from '../common/pi-form/line'

/** Converts one line of pi's sessions, by itself. */
export const piLine = piFormLine({ agent: 'pi' })
