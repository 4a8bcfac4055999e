// Renders the templates of a chart as Helm does, with Go's own template engine and the functions that Helm takes
// from Sprig: Helm itself is in no package of Debian and npm. The first argument is the chart, the input the values.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func main() {
	chart := os.Args[1]
	release := map[string]interface{}{"Name": os.Args[2], "Namespace": "default", "Service": "Helm"}
	var values map[string]interface{}
	must(json.NewDecoder(os.Stdin).Decode(&values))
	data := map[string]interface{}{
		"Values": values, "Release": release, "Chart": chartOf(chart + "/Chart.yaml"),
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"toYaml": func(value interface{}) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return value, errors.New(message)
			}
			return value, nil
		},
	})
	paths, err := filepath.Glob(chart + "/templates/*")
	must(err)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(err)
		_, err = all.New(filepath.Base(path)).Parse(string(text))
		must(err)
	}
	for _, path := range paths {
		if filepath.Ext(path) != ".yaml" && filepath.Ext(path) != ".txt" {
			continue
		}
		var text strings.Builder
		must(all.ExecuteTemplate(&text, filepath.Base(path), data))
		result := strings.ReplaceAll(text.String(), "<no value>", "")
		if filepath.Ext(path) == ".txt" {
			result = "# " + strings.ReplaceAll(strings.TrimSpace(result), "\n", "\n# ") + "\n"
		}
		fmt.Printf("---\n%s", result)
	}
}

// The fields of Chart.yaml, by the names that templates have for them.
func chartOf(path string) map[string]interface{} {
	text, err := os.ReadFile(path)
	must(err)
	var fields map[string]interface{}
	must(yaml.Unmarshal(text, &fields))
	named := map[string]interface{}{}
	for name, value := range fields {
		named[strings.ToUpper(name[:1])+name[1:]] = value
	}
	return named
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
