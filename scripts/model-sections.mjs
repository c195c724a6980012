/**
 * Takes the schemas of models apart into sections, one for each kind of object: what a page of docs/models/ says of it.
 * A section stands on the page of the shared file that defines it, or of its model, and once.
 */

/**
 * @typedef {object} Section
 * @property {string} page path of its page below docs/models/
 * @property {string} title its heading, which no other section of the page has; "" of a model as a whole
 * @property {string} [help]
 * @property {string} [where] what the choosing field says where these fields stand
 * @property {{name: string, field: object, target?: string}[]} rows `target`: key of the section of its object
 * @property {{by: string, options: {value: string, help?: string, target?: string}[]}} [choice]
 * @property {string} model
 * @property {object} [example] an object of an example that is such a one
 */

/**
 * @param models those of the catalog, in order
 * @param fieldTree core/catalog/field-tree.js
 * @returns sections by key in reading order, keys of the sections of lists that are referred to, and terms cited
 */
export function takeApart(models, fieldTree) {
  const sections = new Map();
  const lists = new Map();
  const terms = new Map();

  for (const model of models) {
    const { $defs } = model.schema;
    const treeOf = (schema) => fieldTree({ ...schema, $defs });

    const visit = (node, parent, path, where) => {
      const { key, schema } = placeOf(node, parent, path, model.name, $defs);
      const { shape, title, help, term, reference } = treeOf(schema);
      if (shape === undefined || term !== undefined || reference !== undefined) return undefined;
      if (where === undefined) lists.set(listKey(model.name, path), key);
      const fields = [...shape.fields].filter(([name]) => name !== where?.by);
      if (fields.length === 0 && shape.choices.length === 0) return undefined;
      if (sections.has(key)) return key;
      const page = pageOf(key);
      const section = {
        page,
        title: freeTitle(title, page, path),
        help,
        where: where?.text,
        model: model.name,
        rows: [],
      };
      sections.set(key, section);
      const inner = declared(schema, $defs);
      section.rows = fields.map(([name, field]) => {
        const property = inner[name];
        return { name, field, target: visit(innermost(property), key, `${path}.${name}`) };
      });
      const choice = choiceOf(schema, $defs);
      if (choice !== undefined) {
        const by = choice.discriminator.propertyName;
        const options = choice.oneOf.map((branch) => {
          const value = wordOf(branch, by, $defs);
          const chosen = { by, text: `\`${by}\` is \`${value}\`` };
          return { value, help: treeOf(branch).help, target: visit(branch, `${key}.${value}`, path, chosen) };
        });
        section.choice = { by, options };
      }
      return key;
    };

    visit(model.schema, undefined, "metadata");
    sections.get(model.name).title = "";

    /** Finds an example of each section and of a term of each vocabulary. */
    const gather = (node, value, parent, path) => {
      if (Array.isArray(value)) {
        for (const each of value) gather(node.items ?? {}, each, parent, path);
        return;
      }
      const { key, schema } = placeOf(node, parent, path, model.name, $defs);
      const { "x-vocabulary": vocabulary } = schema;
      if (vocabulary !== undefined && !terms.has(vocabulary.name)) terms.set(vocabulary.name, value.id);
      if (typeof value !== "object" || vocabulary !== undefined) return;
      const section = sections.get(key);
      if (section !== undefined) section.example ??= value;
      for (const [name, property] of Object.entries(declared(schema, $defs))) {
        if (Object.hasOwn(value, name)) gather(property, value[name], key, `${path}.${name}`);
      }
      const choice = choiceOf(schema, $defs);
      const by = choice?.discriminator.propertyName;
      const branch = choice?.oneOf.find((each) => wordOf(each, by, $defs) === value[by]);
      if (branch !== undefined) gather(branch, value, `${key}.${value[by]}`, path);
    };

    gather(model.schema, model.example?.metadata ?? {}, undefined, "metadata");
  }
  return { sections, lists, terms };

  /** A heading that is not taken yet on its page. */
  function freeTitle(title, page, path) {
    const isTaken = [...sections.values()].some((section) => section.page === page && section.title === title);
    return isTaken ? `${title} (${path.split(".").slice(-2).join(".")})` : title;
  }
}

/** What stands in a list, or in the lists within it; of no list the property itself. */
const innermost = (property) => (property.items === undefined ? property : innermost(property.items));

/** The key under which `lists` has a list: its path, within its model where only this has it. */
export function listKey(model, path) {
  return path.startsWith("metadata.general_parameters") ? path : `${model} ${path}`;
}

/** What a schema says of a value, and the key of its section: its definition, or its place in what holds it. */
function placeOf(node, parent, path, model, $defs) {
  if (typeof node.$ref === "string") {
    const name = node.$ref.slice("#/$defs/".length);
    return { key: name.includes(".") ? name : `${model}/${name}`, schema: $defs[name] };
  }
  return { key: parent === undefined ? model : `${parent}/${path.split(".").at(-1)}`, schema: node };
}

/** Keys begin with the shared file, followed by a dot, or with the model. */
function pageOf(key) {
  const [, file, isShared] = /^([a-z_-]+)(\.)?/.exec(key);
  return isShared ? `shared/${file}.md` : `${file}.md`;
}

/** Schemas that speak of all values that this one speaks of. */
function partsOf(schema, $defs) {
  const referred = typeof schema.$ref === "string" ? [$defs[schema.$ref.slice("#/$defs/".length)]] : [];
  return [schema, ...[...referred, ...(schema.allOf ?? [])].flatMap((part) => partsOf(part, $defs))];
}

function declared(schema, $defs) {
  return Object.assign(
    {},
    ...partsOf(schema, $defs)
      .reverse()
      .map(({ properties }) => properties),
  );
}

function choiceOf(schema, $defs) {
  return partsOf(schema, $defs).find(({ discriminator }) => discriminator !== undefined);
}

function wordOf(branch, by, $defs) {
  return partsOf(branch, $defs).find(({ properties }) => properties?.[by] !== undefined).properties[by].const;
}
