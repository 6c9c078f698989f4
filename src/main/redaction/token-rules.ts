/** Form of a key or token by which its maker can be told. */
export interface TokenRule {
  readonly kind: string
  /** How it begins: a regular expression without groups that capture. */
  readonly prefix: string
  /** The characters after that, as a class has them. */
  readonly chars: string
  /** How many of them there are at least, and at most where that is known. */
  readonly min: number
  readonly max?: number
  /** Texts of which one is in every such token. */
  readonly signs: readonly string[]
  /** Further form of the whole token. */
  readonly form?: RegExp
  /** Its segments, where points part them: what a text has after the last of them is none of it. */
  readonly segments?: RegExp
  /** With so much of its last segment it needs no further line. */
  readonly wholeSegments?: RegExp
}

const word = 'A-Za-z0-9_-'
const plain = 'A-Za-z0-9'
const hex = '0-9a-f'
const digit = /\d/

/**
 * Forms of tokens, those that begin with another's beginning before it. Where makers name no length, it is that of keys
 * that they gave out, and none that a word of a language has.
 */
export const tokenRules: readonly TokenRule[] = [
  { kind: 'Anthropic key', prefix: 'sk-ant-', chars: word, min: 16, signs: ['sk-ant-'] },
  { kind: 'OpenRouter key', prefix: 'sk-or-', chars: word, min: 20, signs: ['sk-or-'] },
  { kind: 'Langfuse key', prefix: '[sp]k-lf-', chars: word, min: 30, signs: ['k-lf-'] },
  {
    kind: 'OpenAI key',
    prefix: 'sk-(?:proj|svcacct|admin|None)-',
    chars: word,
    min: 20,
    signs: ['sk-'],
  },
  // Other providers' keys have this form too: DeepSeek, Moonshot, LiteLLM.
  { kind: 'OpenAI key', prefix: 'sk-', chars: plain, min: 20, signs: ['sk-'], form: digit },
  { kind: 'Google API key', prefix: 'AIza', chars: word, min: 35, max: 35, signs: ['AIza'] },
  { kind: 'Google OAuth token', prefix: 'ya29\\.', chars: word, min: 20, signs: ['ya29.'] },
  { kind: 'Google OAuth secret', prefix: 'GOCSPX-', chars: word, min: 20, signs: ['GOCSPX-'] },
  { kind: 'Google refresh token', prefix: '1//0', chars: word, min: 35, signs: ['1//0'] },
  {
    kind: 'AWS access key',
    prefix: '(?:AKIA|ASIA|ABIA|ACCA)',
    chars: 'A-Z0-9',
    min: 16,
    max: 16,
    signs: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
  },
  {
    kind: 'GitHub token',
    prefix: 'github_pat_',
    chars: 'A-Za-z0-9_',
    min: 22,
    signs: ['github_pat_'],
  },
  {
    kind: 'GitHub token',
    prefix: 'gh[pousr]_',
    chars: plain,
    min: 36,
    signs: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
  },
  {
    kind: 'GitLab token',
    prefix: 'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-',
    chars: 'A-Za-z0-9_.-',
    min: 20,
    signs: [
      'glpat-',
      'gldt-',
      'glrt-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'gloas-',
      'glsoat-',
      'glffct-',
    ],
  },
  {
    kind: 'Slack token',
    prefix: 'xox[abeoprs]-',
    chars: 'A-Za-z0-9.-',
    min: 10,
    signs: ['xox'],
    form: digit,
  },
  { kind: 'Slack token', prefix: 'xapp-', chars: word, min: 20, signs: ['xapp-'], form: digit },
  {
    kind: 'Stripe key',
    prefix: '[rsp]k_(?:live|test)_',
    chars: plain,
    min: 16,
    signs: ['k_live_', 'k_test_'],
  },
  { kind: 'webhook secret', prefix: 'whsec_', chars: 'A-Za-z0-9+/=', min: 24, signs: ['whsec_'] },
  { kind: 'Twilio key', prefix: '(?:SK|AC)', chars: hex, min: 32, max: 32, signs: ['SK', 'AC'] },
  {
    kind: 'SendGrid key',
    prefix: 'SG\\.',
    chars: 'A-Za-z0-9_.-',
    min: 40,
    signs: ['SG.'],
    segments: /^SG\.[\w-]{10,}\.[\w-]{16,}/,
    wholeSegments: /^SG\.[\w-]{10,}\.[\w-]{43}/,
  },
  { kind: 'Mailgun key', prefix: '(?<![_-])key-', chars: hex, min: 32, max: 32, signs: ['key-'] },
  { kind: 'npm token', prefix: 'npm_', chars: plain, min: 36, max: 36, signs: ['npm_'] },
  { kind: 'PyPI token', prefix: 'pypi-', chars: word, min: 50, signs: ['pypi-'] },
  { kind: 'RubyGems key', prefix: 'rubygems_', chars: hex, min: 48, max: 48, signs: ['rubygems_'] },
  { kind: 'Docker token', prefix: 'dckr_[po]at_', chars: word, min: 24, signs: ['dckr_'] },
  { kind: 'Hugging Face token', prefix: 'hf_', chars: plain, min: 30, signs: ['hf_'] },
  { kind: 'Groq key', prefix: 'gsk_', chars: plain, min: 40, signs: ['gsk_'] },
  { kind: 'xAI key', prefix: 'xai-', chars: plain, min: 40, signs: ['xai-'] },
  { kind: 'Perplexity key', prefix: 'pplx-', chars: plain, min: 40, signs: ['pplx-'] },
  { kind: 'Replicate token', prefix: 'r8_', chars: plain, min: 30, signs: ['r8_'] },
  { kind: 'Cerebras key', prefix: 'csk-', chars: plain, min: 40, signs: ['csk-'] },
  { kind: 'Tavily key', prefix: 'tvly-', chars: word, min: 20, signs: ['tvly-'], form: digit },
  {
    kind: 'LangSmith key',
    prefix: 'lsv2_[a-z]{2}_',
    chars: 'A-Za-z0-9_',
    min: 32,
    signs: ['lsv2_'],
  },
  {
    kind: 'JWT',
    prefix: 'eyJ',
    chars: 'A-Za-z0-9_.=-',
    min: 20,
    signs: ['eyJ'],
    // Of three segments, or encrypted of five, of which one may be empty.
    segments:
      /^eyJ[\w-]{5,}={0,2}\.(?:eyJ[\w-]{3,}={0,2}(?:\.[\w-]*={0,2})?|[\w-]*={0,2}(?:\.[\w-]+={0,2}){1,3}|[\w-]{5,}={0,2}\.?)/,
    wholeSegments: /^eyJ[\w-]{5,}={0,2}\.[\w-]*={0,2}\.[\w-]{43}/,
  },
  {
    kind: 'Vault token',
    prefix: 'hv[sbr]\\.',
    chars: word,
    min: 24,
    signs: ['hvs.', 'hvb.', 'hvr.'],
  },
  {
    kind: 'DigitalOcean token',
    prefix: 'do[opr]_v1_',
    chars: hex,
    min: 64,
    max: 64,
    signs: ['_v1_'],
  },
  {
    kind: 'Shopify token',
    prefix: 'shp(?:at|ca|pa|ss|ua)_',
    chars: '0-9a-fA-F',
    min: 32,
    max: 32,
    signs: ['shp'],
  },
  { kind: 'Databricks token', prefix: 'dapi', chars: hex, min: 32, max: 34, signs: ['dapi'] },
  { kind: 'Linear key', prefix: 'lin_(?:api|oauth)_', chars: plain, min: 32, signs: ['lin_'] },
  {
    kind: 'Notion token',
    prefix: '(?:ntn_|secret_)',
    chars: plain,
    min: 40,
    signs: ['ntn_', 'secret_'],
    form: digit,
  },
  {
    kind: 'Figma token',
    prefix: 'fig[dour]_',
    chars: word,
    min: 30,
    signs: ['figd_', 'figo_', 'figu_', 'figr_'],
  },
  { kind: 'New Relic key', prefix: 'NRAK-', chars: 'A-Z0-9', min: 27, max: 27, signs: ['NRAK-'] },
  {
    kind: 'Grafana token',
    prefix: '(?:glsa|glc)_',
    chars: 'A-Za-z0-9_+/=',
    min: 32,
    signs: ['glsa_', 'glc_'],
  },
  {
    kind: 'Sentry token',
    prefix: 'sntr[yu]s?_',
    chars: 'A-Za-z0-9_+/=-',
    min: 40,
    signs: ['sntry', 'sntru'],
  },
  { kind: 'Atlassian token', prefix: 'ATATT3', chars: 'A-Za-z0-9_=-', min: 60, signs: ['ATATT3'] },
  { kind: 'Postman key', prefix: 'PMAK-', chars: '0-9a-f-', min: 50, signs: ['PMAK-'] },
  {
    kind: 'Supabase key',
    prefix: '(?:sbp_|sb_secret_)',
    chars: word,
    min: 30,
    signs: ['sbp_', 'sb_secret_'],
  },
  {
    kind: 'PlanetScale token',
    prefix: 'pscale_(?:tkn|pw|oauth)_',
    chars: 'A-Za-z0-9_.-',
    min: 30,
    signs: ['pscale_'],
  },
  {
    kind: 'Doppler token',
    prefix: 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.',
    chars: 'A-Za-z0-9._-',
    min: 40,
    signs: ['dp.'],
  },
  { kind: 'Square token', prefix: 'sq0[a-z]{3}-', chars: word, min: 22, signs: ['sq0'] },
  { kind: 'Tailscale key', prefix: 'tskey-', chars: word, min: 20, signs: ['tskey-'], form: digit },
  {
    kind: '1Password token',
    prefix: 'ops_eyJ',
    chars: 'A-Za-z0-9_=-',
    min: 40,
    signs: ['ops_eyJ'],
  },
  {
    kind: 'age key',
    prefix: 'AGE-SECRET-KEY-1',
    chars: 'A-Z0-9',
    min: 50,
    signs: ['AGE-SECRET-KEY-1'],
  },
  {
    kind: 'Telegram token',
    prefix: '[0-9]{8,10}:AA',
    chars: word,
    min: 32,
    max: 34,
    signs: [':AA'],
  },
]
