import { acceleratorOf } from '../../../shared/model/keys/key-words'
import type { Keystroke } from '../../../shared/model/keys/keystroke'
import type { QuickKeyState } from '../../../shared/model/keys/quick-key'

/** Key that works in every program, one at the most. */
export interface GlobalKey {
  /** Takes another key in place of the one before; an empty one is none. Call it when the app is ready. */
  set(keystroke: Keystroke): QuickKeyState
  /** Returns whether the key works; one that another program had is tried again: it may have given it back. */
  retry(): QuickKeyState
}

/** The system's keys, which Electron's `globalShortcut` gives. */
export interface SystemKeys {
  register(accelerator: string, pressed: () => void): boolean
  unregister(accelerator: string): void
}

/** Makes the key; none is taken yet. @param pressed called whenever it is pressed, whatever program is in front */
export function openGlobalKey(
  system: SystemKeys,
  environment: Readonly<Record<string, string | undefined>>,
  pressed: () => void,
): GlobalKey {
  let wanted: Keystroke = ''
  let state: QuickKeyState = 'off'

  function given(): QuickKeyState {
    if (wanted === '') return 'off'
    // There a program gets keys of its own windows alone, whatever it asks for.
    if (isWayland(environment)) return 'wayland'
    try {
      return system.register(acceleratorOf(wanted), pressed) ? 'on' : 'taken'
    } catch {
      return 'taken' // A key that this system cannot give.
    }
  }

  return {
    set(keystroke) {
      if (state === 'on') system.unregister(acceleratorOf(wanted))
      wanted = keystroke
      state = given()
      return state
    },
    retry() {
      if (state === 'taken') state = given()
      return state
    },
  }
}

function isWayland(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment.XDG_SESSION_TYPE === 'wayland' || Boolean(environment.WAYLAND_DISPLAY)
}
