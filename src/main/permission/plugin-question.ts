import { countWithNoun } from '../../shared/model/basics/plural'
import type { PluginLook } from '../../shared/model/settings/plugins'
import type { NativeQuestion } from './question'
import { escapeInvisible, quoteName, shortenHash } from './question-text'

/** Asks whether a plugin's content is trusted, or is trusted again after it has changed. */
export function pluginQuestion(look: PluginLook, hasChanged: boolean): NativeQuestion {
  const { name, shown, program, kind, hash, sizeBytes, fileCount } = look
  const size = `${sizeBytes.toLocaleString('en')} bytes`
  return {
    message: hasChanged
      ? `Trust the plugin ${quoteName(name)} again, with its new content?`
      : `Trust the plugin ${quoteName(name)}?`,
    detail: [
      ...(hasChanged ? ['It has changed since you trusted it.', ''] : []),
      'It runs with your rights: it can read, change and send whatever you can. Models run it without asking you, with arguments of their choice, until its content changes or you take your trust away.',
      '',
      `${kind === 'folder' ? 'Folder' : 'File'}: ${escapeInvisible(shown)}`,
      ...(program === shown ? [] : [`Program: ${escapeInvisible(program)}`]),
      kind === 'folder' ? `Size: ${size} in ${countWithNoun(fileCount, 'file')}` : `Size: ${size}`,
      `SHA-256: ${shortenHash(hash)}`,
    ].join('\n'),
    refusal: 'Cancel',
    answers: ['Trust'],
    isGrave: true,
  }
}
