import comments from '@eslint-community/eslint-plugin-eslint-comments/configs';
import eslint from '@eslint/js';
import jsdoc from 'eslint-plugin-jsdoc';
import { defineConfig, globalIgnores } from 'eslint/config';
import { configs as typescript } from 'typescript-eslint';

/** Where the product's own code is; the tests around it are laid out more freely. */
const sources = ['codegen/**/*.{ts,js,mjs}', 'schemas/code/*.js', 'src/**/*.{ts,mjs}'];

export default defineConfig(
  globalIgnores([
    // Written by the generator; its golden tests say what it writes, the drift check that it stays so.
    'generated/',
    'docs/a2a/',
    // Examples, plain as a reader would write them; tests run them.
    'docs/guide/',
    // Fixtures: what a run is expected to write, and input that is wrong on purpose.
    'test/golden/*/**',
    'test/diagnostics/*/**',
    // Declarations beside plain JavaScript: copied into the package and compiled by its tests.
    'codegen/runtime/**/*.d.ts',
    'schemas/code/*.d.ts',
    'coverage/',
    'data/',
  ]),

  eslint.configs.recommended,
  typescript.strictTypeChecked,
  typescript.stylisticTypeChecked,
  comments.recommended,
  {
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' },
    rules: {
      eqeqeq: 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      '@eslint-community/eslint-comments/require-description': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],

      // Off: tsc reports unknown names, in plain JavaScript too, and knows which globals Node has.
      'no-undef': 'off',
      // Loosened: a number in a message is clear as it stands; every other kind stays forbidden.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Loosened: a parameter that a signature demands but a body does not need is named with `_`.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },

  {
    files: sources,
    plugins: { jsdoc },
    rules: {
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 40, skipComments: true, skipBlankLines: true }],
      // Every export says what it guarantees.
      'jsdoc/require-jsdoc': [
        'error',
        {
          publicOnly: true,
          require: { ClassDeclaration: true, FunctionDeclaration: true },
          contexts: [
            'TSInterfaceDeclaration',
            'TSTypeAliasDeclaration',
            'ExportNamedDeclaration > VariableDeclaration',
          ],
        },
      ],
    },
  },

  {
    files: ['test/**/*.{ts,mjs}'],
    rules: {
      // Off: reaching into a result that the line before has asserted is how a test reads best.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },

  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs' },
  },
);
