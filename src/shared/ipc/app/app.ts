import { z } from 'zod'
import { LinkedPlace } from '../../model/conversation-link'
import { QuickKeyState } from '../../model/keys/quick-key'
import { windowCommandNames } from '../../model/keys/window-commands'
import { UpdateAnswer, UpdatePlace } from '../../model/updates'
import { call, event } from '../wire/primitives'

/** State of the app window as a whole, which it needs before it shows anything else. */
export const AppStatus = z.object({
  /** `first-run`: no home yet, nothing was created. `ready`: a home is open. `unreadable`: it cannot be read, and `problem` says why. */
  phase: z.enum(['first-run', 'ready', 'unreadable']),
  home: z.object({
    path: z.string(),
    /** As people write it: `~/.chibi`. */
    shown: z.string(),
    exists: z.boolean(),
    contexts: z.int(),
    sample: z.boolean(),
  }),
  problem: z.string().optional(),
  version: z.string(),
  platform: z.enum(['linux', 'darwin', 'win32']),
})
export type AppStatus = z.infer<typeof AppStatus>

/** Package whose code is in the app. */
export const BundledPackage = z.object({
  name: z.string(),
  version: z.string(),
  /** As its package.json says, an SPDX expression. */
  license: z.string(),
  /** The text of its licence; empty where it brings none. */
  words: z.string(),
})
export type BundledPackage = z.infer<typeof BundledPackage>

/** Parts of the app: the versions that it runs on, and the packages whose code is in it. */
export const AppParts = z.object({
  electron: z.string(),
  chromium: z.string(),
  node: z.string(),
  /** By name, each version once. */
  packages: z.array(BundledPackage),
  updates: UpdatePlace,
})
export type AppParts = z.infer<typeof AppParts>

/** Choice of a home to open. */
export const HomeChoice = z.discriminatedUnion('type', [
  /** `~/.chibi`, or what `--home` and `CHIBI_HOME` name; created with the first message. */
  z.object({ type: z.literal('default') }),
  /** The system's dialog asks for a folder. */
  z.object({ type: z.literal('choose') }),
  z.object({ type: z.literal('sample') }),
])
export type HomeChoice = z.infer<typeof HomeChoice>

/** Command of the menu to the app window. */
export const MenuCommand = z.enum(windowCommandNames)
export type MenuCommand = z.infer<typeof MenuCommand>

/** Calls and events of the home, of links and files that open outside, and of the menu. */
export const appContract = {
  status: call(z.void(), AppStatus),
  /** Reads what the app is made of, some 250 KB. */
  parts: call(z.void(), AppParts),
  /**
   * Asks the place that the package names whether there is a newer Skein; where it names none, asks nobody. Downloads and installs nothing.
   * Throws `io`, `unreadable`.
   */
  checkForUpdates: call(z.void(), UpdateAnswer),
  /** Opens a home in this window. Throws `exists` when another Skein has it (that one is focused), `unreadable`. Resolves to the same status when the dialog was cancelled. */
  openHome: call(HomeChoice, AppStatus),
  /**
   * Opens a link outside of Skein; `http`, `https` and `mailto` alone. Main shows the whole address first, outside of the
   * page. Throws `bad-argument`, `denied`, `busy`.
   */
  openLink: call(z.object({ url: z.string().max(8192) }), z.void()),
  /** Shows a file of a conversation in the system's file manager; its folder where no file is named, the home itself where the key is empty. */
  revealFile: call(z.object({ key: z.string(), file: z.string() }), z.void()),
  /** Takes the place that a `skein://` link from outside named; null where there is none, or it was taken. */
  takeLink: call(z.void(), LinkedPlace.nullable()),
  /** Whether the key of the quick entry works in every program; one that another program had is tried again. */
  quickKey: call(z.void(), QuickKeyState),
  statusChanged: event(AppStatus),
  /** There is a link to take. */
  linkCame: event(z.object({})),
  quickKeyChanged: event(QuickKeyState),
  command: event(MenuCommand),
}
