import { z } from 'zod'
import { PluginLook, PluginsView } from '../../model/settings/plugins'
import { call, event } from '../wire/primitives'

const Name = z.string().min(1).max(1024)
const Hash = z.string().regex(/^[0-9a-f]{64}$/)

/** The programs in a home's plugins folder. Nothing of one runs before a person has trusted that exact content. */
export const pluginsContract = {
  /** As they are on the disk now. Trusted ones that were never asked are asked what they offer; that is not waited for. */
  list: call(z.void(), PluginsView),
  /** Returns what would be trusted. Throws `not-found`, `unreadable`. */
  look: call(z.object({ name: Name }), PluginLook),
  /** Trusts what was seen, once a person has allowed it outside of the page. Throws `denied`, `busy`, `not-found`, `unreadable`, `io`, `disk-full`; `bad-argument` where it has changed since. */
  trust: call(z.object({ name: Name, hash: Hash }), PluginsView),
  /** Takes trust away; what runs of it is ended. Throws `io`, `disk-full`. */
  distrust: call(z.object({ name: Name }), PluginsView),
  /** Asks a trusted one again what it offers, after that failed. */
  askAgain: call(z.object({ name: Name }), PluginsView),
  /** The list has changed: a run has ended, or a plugin has said what it offers. */
  changed: event(z.void()),
}
